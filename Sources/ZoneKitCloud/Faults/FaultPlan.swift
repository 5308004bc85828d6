import ZoneKitRecords

/// The faults that a cloud's driver injects, in order. The counts are part of the value.
///
/// A driver asks for a verdict before it hands a request to `ZoneServer`, and acts on it. Several faults can hit one
/// request; a fault that refuses or loses the whole request is the last.
package struct FaultPlan: Hashable, Sendable {
  /// The faults in the order in which they are looked at; one that has hit as often as it may stays for summaries.
  package private(set) var entries: [PlannedFault] = []
  /// The number of the last fault that was added; 0 before the first.
  package private(set) var lastID = 0

  /// A plan without faults.
  package init() {}

  /// Adds a fault behind the others; returns its number, for `remove`.
  @discardableResult
  package mutating func add(_ fault: Fault) -> Int {
    lastID += 1
    entries.append(PlannedFault(id: lastID, fault: fault))
    return lastID
  }

  /// Takes the fault of that number out, if it is there.
  package mutating func remove(_ id: Int) { entries.removeAll { $0.id == id } }

  /// Takes the faults of that name out; says whether there were any.
  @discardableResult
  package mutating func remove(named name: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.fault.name == name }
    return entries.count < count
  }

  /// Takes all faults out.
  package mutating func removeAll() { entries.removeAll() }

  /// Decides what happens to a request. Draws from the generator only for faults of less than 1000 per mille.
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
  /// Whether a request that the fault is about is hit.
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
