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

  /// The sentences of which one says this step, and the values of its slots.
  var saying: (sentences: [Sentence], values: SlotValues) {
    switch self {
    case .wait(let span): (Language.general, ["span": .span(span)])
    case .note(let note): (Language.general, ["name": .name(note)])
    case .countFromHere, .measureFromHere, .stopUnlessDeviceIDsDiffer: (Language.general, [:])
    case .repeated(let count, let every, _): (Language.general, ["number": .number(count), "span": .span(every)])
    case .app(let step): (Language.app, step.values)
    case .link(let step): (Language.links, step.values)
    case .push(let step): (Language.pushes, step.values)
    case .cloud(let step): (Language.cloudSteps, step.values)
    case .zone(let step): (Language.zones, step.values)
    case .life(let step): (Language.life, step.values)
    case .account(let step): (Language.accounts, step.values)
    case .clock(let step): (Language.clocks, step.values)
    case .disk(let step): (Language.disks, step.values)
    case .damage(let step): (Language.damage, step.values)
    case .reset(let step): (Language.resets, step.values)
    case .tables(let step): (Language.tables, step.values)
    case .documents(let step): (Language.documents, step.values)
    case .expect(let expectation, let within):
      (Language.expectations, expectation.values + ["within": .span(within)])
    }
  }

  /// The first device that the line names; nil if it names none.
  package var device: String? { saying.values.firstDevice }
}
