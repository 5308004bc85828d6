import ZoneKitScenarios
import ZoneKitSimulator
import ZoneKitWire

/// Kills a process at one of its messages, as if it were killed between two of its effects.
///
/// The effects inside a process cannot be seen from outside. Its requests and answers pass over the links. A process that is
/// killed before its message is forwarded has done all that comes before the message, and nothing that comes after it.
struct KillTrigger {
  /// The kinds of messages.
  enum Moment {
    /// The device asks the cloud.
    case request
    /// The cloud is asked to change something: it has not committed that.
    case change
    /// The cloud answers that it has changed something: it has committed that.
    case changed
    /// The cloud answers anything.
    case answer
  }

  /// Which process is killed.
  let victim: Place
  /// At which kind of message.
  let moment: Moment
  /// At which of these messages, from 1.
  var number: Int

  /// The trigger for a moment of a scenario; nil where that moment is inside the process.
  init?(_ victim: Place, at moment: CrashMoment) {
    switch (victim, moment) {
    case (.device, .before(let number, "send")): self.init(victim, .request, number)
    case (.cloud, .before(let number, "commit")): self.init(victim, .change, number)
    case (.cloud, .after(let number, "commit")): self.init(victim, .changed, number)
    case (.cloud, .before(let number, "answer")): self.init(victim, .answer, number)
    default: return nil
    }
  }

  private init(_ victim: Place, _ moment: Moment, _ number: Int) {
    self.victim = victim
    self.moment = moment
    self.number = number
  }

  /// Whether a message of that kind, on the link of that device, counts.
  func isMet(by moment: Moment, of device: String) -> Bool {
    self.moment == moment && (victim == .cloud || victim == .device(device))
  }
}
