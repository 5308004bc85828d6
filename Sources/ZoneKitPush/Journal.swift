/// The effects of one event, in order: what the driver has to do first, then the facts, those about notifications with
/// all devices that met the same end together.
struct Journal {
  private struct Key: Hashable {
    var serial: UInt64
    var outcome: PushGateway.Outcome
  }

  private var actions: [PushGateway.Effect] = []
  private var facts: [PushFact] = []
  private var handlings: [DeliveryResult] = []
  private var places: [Key: Int] = [:]

  mutating func add(_ action: PushGateway.Effect) { actions.append(action) }

  mutating func note(_ fact: PushFact) { facts.append(fact) }

  mutating func note(_ parcel: Parcel, _ outcome: PushGateway.Outcome, _ devices: [String]) {
    let key = Key(serial: parcel.serial, outcome: outcome)
    if let place = places[key] {
      handlings[place].devices += devices
    } else {
      places[key] = handlings.count
      handlings.append(DeliveryResult(parcel.notification, outcome, devices: devices))
    }
  }

  var effects: [PushGateway.Effect] {
    actions + facts.map { .fact($0) } + handlings.map { .fact(.handled($0)) }
  }
}
