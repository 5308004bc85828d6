/// A step of a scenario.
package indirect enum ScenarioStep: Hashable, Sendable {
  /// `wait 2s`.
  case wait(TimeSpan)
  /// `note "..."`: a text for the timeline.
  case note(String)
  /// `count from here`: counters and reports count from this moment on.
  case countFromHere
  /// `measure from here`: the time until the next expectation holds is a figure of the play.
  case measureFromHere
  /// `repeat 5 times every 2s` ... `end`.
  case repeated(Int, every: TimeSpan?, [ScenarioLine])
  /// `stop here unless all device IDs differ`: ends the scenario if copies of a device share a device ID. They do not
  /// know of each other, and the following steps do not apply to them.
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
  case damage(DamageStep)
  case reset(ResetStep)
  case tables(TableStep)
  case documents(DocumentStep)
  /// `expect ... within 5s`: a condition that must hold within that time; immediately if there is none.
  case expect(Expectation, within: TimeSpan?)

  /// The line from which the parser makes this step; the first line of a repetition.
  package var text: String {
    switch self {
    case .wait(let span): "wait \(span.text)"
    case .note(let note): "note \(ScenarioWord.quoted(note))"
    case .countFromHere: "count from here"
    case .measureFromHere: "measure from here"
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
    case .damage(let step): step.text
    case .reset(let step): step.text
    case .tables(let step): step.text
    case .documents(let step): step.text
    case .expect(let expectation, let within):
      "expect \(expectation.text)" + (within.map { " within \($0.text)" } ?? "")
    }
  }
}
