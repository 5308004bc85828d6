import ZoneKitRelations

/// PostgreSQL's choice among operators or functions of one name (PostgreSQL 15, 10.2 and 10.3).
enum SignatureChoice: Equatable {
  /// None takes the values.
  case none
  /// Several do, and none does better.
  case several
  /// The one at that place.
  case one(Int)

  /// The one of those parameter lists, all as long as the list of values, that fits the values best.
  init(for given: [SlotType], among all: [[SlotType]]) {
    if let exact = all.firstIndex(of: given) {
      self = .one(exact)
      return
    }
    var left = all.indices.filter { all[$0].fit(given) }
    guard !left.isEmpty else {
      self = .none
      return
    }
    for score in [Self.exactCount, Self.preferredCount] where left.count > 1 {
      let scores = left.map { score(given, all[$0]) }
      let best = scores.max()
      left = zip(left, scores).filter { $1 == best }.map(\.0)
    }
    if left.count > 1, given.contains(.unknown) { left = Self.narrowed(left, given, all) }
    self = left.count == 1 ? .one(left[0]) : .several
  }

  private static func exactCount(_ given: [SlotType], _ parameters: [SlotType]) -> Int {
    zip(given, parameters).count { $0 != .unknown && $0 == $1 }
  }

  private static func preferredCount(_ given: [SlotType], _ parameters: [SlotType]) -> Int {
    zip(given, parameters).count { given, parameter in
      given != .unknown && (given == parameter || parameter.isPreferred && parameter.category == given.category)
    }
  }

  /// Those whose parameters for literals are of the group that the literals most likely belong to.
  private static func narrowed(_ left: [Int], _ given: [SlotType], _ all: [[SlotType]]) -> [Int] {
    var left = left
    let literals = given.indices.filter { given[$0] == .unknown }
    var groups: [Int: (category: SlotType.Category, isPreferred: Bool)] = [:]
    for place in literals { groups[place] = group(left.map { all[$0][place] }) }
    if groups.count == literals.count {
      let kept = left.filter { candidate in
        groups.allSatisfy { place, group in
          let parameter = all[candidate][place]
          return parameter.category == group.category && (!group.isPreferred || parameter.isPreferred)
        }
      }
      if !kept.isEmpty { left = kept }
    }
    let known = Set(given).subtracting([.unknown])
    guard left.count > 1, known.count == 1, let type = known.first else { return left }
    let assumed = Array(repeating: type, count: given.count)
    let kept = left.filter { all[$0].fit(assumed) }
    return kept.count == 1 ? kept : left
  }

  /// The group of the types that a parameter has; nil if they have several and none is a text.
  private static func group(_ types: [SlotType]) -> (category: SlotType.Category, isPreferred: Bool)? {
    let categories = Set(types.map(\.category))
    guard let category = categories.contains(.text) ? .text : categories.count == 1 ? categories.first : nil else {
      return nil
    }
    return (category, types.contains { $0.category == category && $0.isPreferred })
  }
}

extension [SlotType] {
  /// Whether the values can be given for these parameters.
  fileprivate func fit(_ given: [SlotType]) -> Bool {
    zip(self, given).allSatisfy { $1.canBe($0) } && types(for: given) != nil
  }

  /// The types that the values are converted to for these parameters; nil where one parameter says what another contradicts.
  func types(for given: [SlotType]) -> [SlotType]? {
    var same: SlotType?
    var compatible: [SlotType] = []
    for (parameter, given) in zip(self, given) where given != .unknown {
      switch parameter {
      case .anyArray, .anyEnum, .anyElement:
        if let same, same != given { return nil }
        same = given
      case .anyNonArray, .anyCompatible: compatible.append(given)
      case .anyCompatibleArray:
        guard case .value(.array(let element)) = given else { return nil }
        compatible.append(.value(element))
      default: break
      }
    }
    let common = compatible.isEmpty ? .value(.text) : SlotType.common(of: compatible)
    guard let common, compatible.allSatisfy({ $0.canBe(common) }) else { return nil }
    return zip(self, given).map { parameter, given in
      switch parameter {
      case .anyArray, .anyEnum, .anyElement: same ?? .unknown
      case .anyNonArray, .anyCompatible: common
      case .anyCompatibleArray: if case .value(let element) = common { .value(.array(element)) } else { common }
      case .any: given == .unknown ? .value(.text) : given
      default: parameter
      }
    }
  }
}

extension SlotType {
  /// The type that values of those types have in common (PostgreSQL 15, 10.5); nil if there is none.
  static func common(of types: [SlotType]) -> SlotType? {
    var common = SlotType.unknown
    for type in types where type != .unknown && type != common {
      if common == .unknown {
        common = type
      } else if type.category != common.category {
        return nil
      } else if !common.isPreferred, common.canBe(type), !type.canBe(common) {
        common = type
      }
    }
    return common == .unknown ? .value(.text) : common
  }
}
