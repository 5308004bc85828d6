/// What one line of a scenario does.
package indirect enum ScenarioStep: Hashable, Sendable {
  /// `wait 2s`.
  case wait(TimeSpan)
  /// `note "..."`: words for the timeline.
  case note(String)
  /// `count from here`: counters and reports are counted from this moment on.
  case countFromHere
  /// `repeat 5 times every 2s` ... `end`.
  case repeated(Int, every: TimeSpan?, [ScenarioLine])
  /// `stop here unless all device IDs differ`: copies of one device that share an ID do not know of each other, and what
  /// comes behind this step is not for them.
  case stopUnlessDeviceIDsDiffer
  case app(AppStep)
  case link(LinkStep)
  case push(PushStep)
  case cloud(CloudStep)
  case zone(ZoneStep)
  case life(LifeStep)
  case account(AccountStep)
  case clock(ClockStep)
  case disk(DiskStep)
  case reset(ResetStep)
  /// `expect ... within 5s`: what must hold by then; at once where no time is given.
  case expect(Expectation, within: TimeSpan?)

  /// The line that reads as this; of a repetition, its first.
  package var text: String {
    switch self {
    case .wait(let span): "wait \(span.text)"
    case .note(let note): "note \(ScenarioWord.quoted(note))"
    case .countFromHere: "count from here"
    case .repeated(let count, let every, _):
      "repeat \(count) times" + (every.map { " every \($0.text)" } ?? "")
    case .stopUnlessDeviceIDsDiffer: "stop here unless all device IDs differ"
    case .app(let step): step.text
    case .link(let step): step.text
    case .push(let step): step.text
    case .cloud(let step): step.text
    case .zone(let step): step.text
    case .life(let step): step.text
    case .account(let step): step.text
    case .clock(let step): step.text
    case .disk(let step): step.text
    case .reset(let step): step.text
    case .expect(let expectation, let within):
      "expect \(expectation.text)" + (within.map { " within \($0.text)" } ?? "")
    }
  }
}
