import ZoneKitRecords

extension Scenario {
  /// The scenario that repeats a story: read again and played, it draws and does the same, and looks at the same promises.
  ///
  /// Of the story's ending it has the first `endingSteps`: behind the one at which a promise is broken nothing is needed.
  /// The app is the one of that name, as it is before the story set it up. Throws where the story has something that no
  /// sentence says.
  package init(
    retelling story: Story, of app: ScenarioPlayer.App, endingSteps: Int = .max, named name: String,
    about: [String] = []
  ) throws(RetellingError) {
    self.init(name: name)
    self.about = about
    self.app = app.name
    options = try Self.options(of: story, beside: app.app)
    devices = story.cast.map { ScenarioDevice($0.name, account: $0.account?.text) }
    for deed in story.deeds { add(try ScenarioStep(deed, by: story.cast)) }
    for step in story.ending.prefix(endingSteps) {
      if let step = try Self.step(step, of: story) { add(step) }
    }
    self = numbered()
    try demandReading()
    try demandBeginning(of: story, beside: app.app)
  }

  private mutating func add(_ step: ScenarioStep) { steps.append(ScenarioLine(0, step)) }

  /// What the story's beginning has otherwise than a scenario without options.
  private static func options(of story: Story, beside app: SimulatedApp) throws(RetellingError) -> [ScenarioOption] {
    // A story goes on behind a deed that could not be done.
    var options: [ScenarioOption] = [.seed(story.seed), .choice(.lenient, "on")]
    let (configuration, plain) = (story.app.configuration, app.configuration)
    if configuration.pageLimit != plain.pageLimit { options.append(.count(.pageLimit, configuration.pageLimit)) }
    if configuration.batchLimit != plain.batchLimit { options.append(.count(.batchLimit, configuration.batchLimit)) }
    for option in CountOption.allCases {
      guard let bound = option.bound, configuration.limits[keyPath: bound] != plain.limits[keyPath: bound] else {
        continue
      }
      options.append(.count(option, configuration.limits[keyPath: bound]))
    }
    if configuration.isAtomic != plain.isAtomic {
      options.append(.choice(.atomic, configuration.isAtomic ? "on" : "off"))
    }
    if story.policy.leakRate > 0 { options.append(.count(.originLeak, Int((story.policy.leakRate * 100).rounded()))) }
    if story.limits.visibleDelay > 0 {
      options.append(.span(.visibleDelay, TimeSpan(milliseconds: story.limits.visibleDelay)))
    }
    switch story.limits.firstFetchTombstones {
    case .all: break
    case .none: options.append(.choice(.firstFetchDeletions, "none"))
    case .ownCreated: options.append(.choice(.firstFetchDeletions, "own"))
    }
    switch story.limits.duplicateSubscriptionError {
    case nil: break
    case .serverRejectedRequest: options.append(.choice(.duplicateSubscription, "reject"))
    case .some(let code): options.append(.choice(.duplicateSubscription, code.rawValue))
    }
    return options
  }

  /// Throws where the words read as something else.
  private func demandReading() throws(RetellingError) {
    let read: Scenario
    do throws(ScenarioError) {
      read = try Scenario(parsing: text)
    } catch {
      throw RetellingError("the words cannot be read: \(error)")
    }
    guard read != self else { return }
    let other = zip(read.steps, steps).first { $0 != $1 }
    throw RetellingError("\(other.map { "\"\($1.step.text)\"" } ?? "the beginning") reads as something else")
  }

  /// Throws where the scenario's options make another beginning than the story's.
  private func demandBeginning(of story: Story, beside app: SimulatedApp) throws(RetellingError) {
    let setting: ScenarioSetting
    do throws(PlayingError) {
      setting = try ScenarioSetting(self, of: app)
    } catch {
      throw RetellingError("\(error)")
    }
    guard setting.seed == story.seed, setting.limits == story.limits, setting.policy == story.policy,
      setting.configuration.pageLimit == story.app.configuration.pageLimit,
      setting.configuration.batchLimit == story.app.configuration.batchLimit,
      setting.configuration.isAtomic == story.app.configuration.isAtomic,
      setting.configuration.limits == story.app.configuration.limits
    else { throw RetellingError("no option says how the story's cloud, push service or devices are set up") }
  }

  /// The step that does what one of a story's ending does; nil where there is nothing to do.
  private static func step(_ step: EndingStep, of story: Story) throws(RetellingError) -> ScenarioStep? {
    switch step {
    case .note(let text): return .note(text)
    case .deed(let deed): return try ScenarioStep(deed, by: story.cast)
    case .recover(let restarting): return .link(.recover(restarting: restarting))
    case .look: return .life(.look(.every))
    case .converge(let limit, let rule):
      return .expect(.convergence(byPushes: rule == .pushNeeded), within: TimeSpan(milliseconds: limit))
    case .checkEdits: return .expect(.noEditLost, within: nil)
    case .checkViews: return .expect(.currentViews, within: nil)
    case .checkLeftovers: return .expect(.nothingLeft, within: nil)
    case .haltUnlessNamesDiffer: return nil
    case .rest(let milliseconds): return .expect(.nobodyAsks(TimeSpan(milliseconds: milliseconds)), within: nil)
    }
  }
}
