import ZoneKitScenarios
import ZoneKitSimulator
import ZoneKitWire

/// A process that is to end at one of its messages, as one that is killed between two of its effects.
///
/// What a process does inside itself nobody sees. What it asks and answers passes the stage's links: one that ends before its
/// message goes on has done all that comes before the message, and nothing that comes behind it.
struct Ambush {
  /// The message that is waited for.
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

  /// Who is to end.
  let victim: Place
  /// At what.
  let moment: Moment
  /// At which of them, from 1.
  var number: Int

  /// The ambush that a scenario's words ask for; nil where that is inside the process.
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

  /// Whether a message of that kind, on the link of that device, is one that is waited for.
  func isMet(by moment: Moment, of device: String) -> Bool {
    self.moment == moment && (victim == .cloud || victim == .device(device))
  }
}
