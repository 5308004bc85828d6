import ZoneKitRecords

/// What a conversation wants after an event, and what the event led to.
package struct ConversationStep {
  /// What comes next.
  package enum Action {
    /// Ask the cloud that.
    case ask(CloudRequest)
    /// Nothing more is to be asked: the sync is over.
    case end
    /// The sync cannot go on; it is tried again later.
    case giveUp(CloudError)
  }

  /// What the event led to, in order, before the next action.
  package var effects: [Effect]
  /// What comes next.
  package var action: Action

  /// That action after those effects.
  package init(_ action: Action, after effects: [Effect] = []) {
    self.action = action
    self.effects = effects
  }

  /// The same step with effects that came before it.
  package func after(_ earlier: [Effect]) -> ConversationStep { ConversationStep(action, after: earlier + effects) }
}
