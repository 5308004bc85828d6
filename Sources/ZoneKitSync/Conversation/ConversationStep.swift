import ZoneKitRecords

/// A step of a conversation: the effects of an event, and the next action.
package struct ConversationStep {
  /// The next action.
  package enum Action {
    /// Send that request.
    case ask(CloudRequest)
    /// End the sync: there is nothing more to request.
    case end
    /// Give the sync up. It is tried again later.
    case giveUp(CloudError)
  }

  /// The effects of the event, in order. They come before the action.
  package var effects: [Effect]
  /// The next action.
  package var action: Action

  /// A step with that action after those effects.
  package init(_ action: Action, after effects: [Effect] = []) {
    self.action = action
    self.effects = effects
  }

  /// The same step with further effects before its own.
  package func after(_ earlier: [Effect]) -> ConversationStep { ConversationStep(action, after: earlier + effects) }
}
