import ZoneKitScenarios
import ZoneKitWire

/// Kills a process at one of its messages.
///
/// The effects inside a process cannot be observed from outside, but its requests and answers pass over the links. A
/// process that is killed before its message is forwarded has done everything before that message and nothing after it.
struct KillTrigger {
  /// The kinds of messages that a trigger can name.
  enum Moment {
    /// A request of the device.
    case request
    /// A request that changes the cloud, before the cloud has committed the change.
    case change
    /// An answer to a request that changed the cloud, after the commit.
    case changed
    /// Any answer of the cloud.
    case answer
  }

  /// The process to kill.
  let victim: Place
  /// The kind of message.
  let moment: Moment
  /// The number of the message among those of its kind, from 1. Each one that passes counts it down.
  var number: Int

  /// The trigger for a kill point; nil if that point is inside the process.
  init?(_ victim: Place, at point: KillPoint) {
    switch (victim, point) {
    case (.device, .before(let number, .effect("send"))): self.init(victim, .request, number)
    case (.cloud, .before(let number, .commit)): self.init(victim, .change, number)
    case (.cloud, .after(let number, .commit)): self.init(victim, .changed, number)
    case (.cloud, .before(let number, .effect("answer"))): self.init(victim, .answer, number)
    default: return nil
    }
  }

  private init(_ victim: Place, _ moment: Moment, _ number: Int) {
    self.victim = victim
    self.moment = moment
    self.number = number
  }

  /// Whether a message of that kind on the link of that device counts.
  func isMet(by moment: Moment, of device: String) -> Bool {
    self.moment == moment && (victim == .cloud || victim == .device(device))
  }
}
