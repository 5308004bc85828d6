import ZoneKitRecords

/// The faults that a driver of the cloud injects, in order, with the number of their hits.
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

  /// Decides what happens to a request. Uses the generator only for faults of less than 1000 per mille.
  package mutating func verdict(
    on request: CloudRequest, from caller: Caller, in database: DatabaseID,
    using generator: inout some RandomNumberGenerator
  ) -> FaultVerdict {
    guard !entries.isEmpty else { return .pass }
    let traits = RequestTraits(request)
    var exchange: FaultyExchange?
    for index in entries.indices where entries[index].fault.isAbout(traits, from: caller, in: database) {
      guard entries[index].takesEffect(using: &generator) else { continue }
      var hit = exchange ?? FaultyExchange(request, traits, from: caller)
      hit.apply(entries[index].fault, id: entries[index].id)
      exchange = hit
      if hit.isOver { break }
    }
    return exchange.map { .faulty($0) } ?? .pass
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
  fileprivate func isAbout(_ request: RequestTraits, from caller: Caller, in database: DatabaseID) -> Bool {
    action.fits(request) && scope.includes(request, from: caller, in: database)
  }
}
