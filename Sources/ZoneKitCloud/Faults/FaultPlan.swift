import ZoneKitRecords

/// The faults that a driver of the cloud injects, in order, with the number of their hits, in requests and pushes of all
/// protocols.
///
/// A driver asks for a verdict before it passes a request to `ZoneServer`, and acts on it. Several faults can hit one
/// request. After a fault that refuses or loses the whole request, no further fault is considered.
package struct FaultPlan: Hashable, Sendable {
  /// The faults in order. A fault that has hit as often as it may is kept for summaries.
  package private(set) var entries: [PlannedFault] = []
  /// The ID of the last fault that was added; 0 before the first.
  package private(set) var lastID = 0

  /// A plan without faults.
  package init() {}

  /// Whether the plan has no faults.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds a fault to the end. Returns its ID, for `remove`.
  @discardableResult
  package mutating func add(_ fault: Fault) -> Int {
    lastID += 1
    entries.append(PlannedFault(id: lastID, fault: fault))
    return lastID
  }

  /// Removes the fault of that ID, if there is one.
  package mutating func remove(_ id: Int) { entries.removeAll { $0.id == id } }

  /// Removes the faults of that name. Returns whether there were any.
  @discardableResult
  package mutating func remove(named name: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.fault.name == name }
    return entries.count < count
  }

  /// Removes all faults.
  package mutating func removeAll() { entries.removeAll() }

  /// Decides what happens to a request. `names` are further names of the sending device. Uses the generator only for faults
  /// of less than 1000 per mille.
  package mutating func verdict(
    on request: CloudRequest, from caller: Caller, called names: [String] = [], in database: DatabaseID,
    using generator: inout some RandomNumberGenerator
  ) -> FaultVerdict {
    guard !entries.isEmpty else { return .pass }
    let traits = RequestTraits(request)
    var subject = FaultSubject(traits, from: caller, in: database)
    subject.devices += names
    let hits = hits(on: subject, using: &generator)
    guard !hits.isEmpty else { return .pass }
    var exchange = FaultyExchange(request, traits, from: caller)
    for hit in hits { exchange.apply(hit.fault, id: hit.id) }
    return .faulty(exchange)
  }

  /// What happens to a request of a service of tables; nil if no fault hits it. Uses the generator only for faults of less
  /// than 1000 per mille.
  package mutating func faults(
    on subject: FaultSubject, using generator: inout some RandomNumberGenerator
  ) -> RequestFaults? {
    guard !entries.isEmpty else { return nil }
    let hits = hits(on: subject, using: &generator)
    return hits.isEmpty ? nil : RequestFaults(hits)
  }

  /// What happens to a push on its way to one receiver; nil if no fault hits it. Uses the generator only for faults of less
  /// than 1000 per mille.
  package mutating func pushFault(
    on subject: FaultSubject, using generator: inout some RandomNumberGenerator
  ) -> PushFault? {
    guard !entries.isEmpty, case .push(let fault)? = hits(on: subject, using: &generator).first?.fault.action else {
      return nil
    }
    return fault
  }

  /// Whether a fault makes pushes wait for the next one.
  package var swapsPushes: Bool { entries.contains { $0.fault.action == .push(.swap) } }

  /// Sets the faults. One that is in the plan already, with the same ID and unchanged, keeps its counts.
  package mutating func set(_ faults: [(id: Int?, fault: Fault)]) {
    let known = entries
    entries = []
    for (id, fault) in faults {
      if let old = known.first(where: { $0.id == id && $0.fault == fault }), !entries.contains(old) {
        entries.append(old)
      } else {
        add(fault)
      }
    }
  }

  /// The faults that hit a request or a push, in order.
  private mutating func hits(
    on subject: FaultSubject, using generator: inout some RandomNumberGenerator
  ) -> [PlannedFault] {
    var hits: [PlannedFault] = []
    for index in entries.indices where entries[index].fault.isAbout(subject) {
      guard entries[index].takesEffect(using: &generator) else { continue }
      hits.append(entries[index])
      if entries[index].fault.action.isFinal(hasItems: !subject.items.isEmpty) { break }
    }
    return hits
  }
}

extension PlannedFault {
  /// Whether the fault hits a request in its scope.
  fileprivate mutating func takesEffect(using generator: inout some RandomNumberGenerator) -> Bool {
    guard hits < fault.times ?? .max else { return false }
    guard passed >= fault.after else {
      passed += 1
      return false
    }
    guard fault.perMille >= 1000 || Int.random(in: 0..<1000, using: &generator) < fault.perMille else { return false }
    hits += 1
    return true
  }
}

extension Fault {
  fileprivate func isAbout(_ request: FaultSubject) -> Bool { action.fits(request) && scope.includes(request) }
}
