import ZoneKitRecords

/// Finds the endpoints that get the notifications of a database. Each audience has a group of endpoints.
struct Directory {
  /// The position of an endpoint in a group.
  struct Membership: Hashable {
    var group: Int
    var position: Int
  }

  private struct Group {
    var audience: Audience
    var members: [Int]
  }

  private var groups: [Group] = []
  private var numbers: [Audience: Int] = [:]
  private var emptyGroups: [Int] = []

  /// The members of every non-empty group that gets the notifications of that user in a container and environment.
  func members(of user: Name, in container: Name, environment: Environment) -> [[Int]] {
    guard !numbers.isEmpty else { return [] }
    return Audience.all(of: user, in: container, environment).compactMap { numbers[$0].map { groups[$0].members } }
  }

  /// The members of the group of that audience.
  func members(of audience: Audience) -> [Int] { numbers[audience].map { groups[$0].members } ?? [] }

  func audience(of membership: Membership) -> Audience { groups[membership.group].audience }

  mutating func enter(_ endpoint: Int, _ audience: Audience) -> Membership {
    let group = numbers[audience] ?? open(audience)
    groups[group].members.append(endpoint)
    return Membership(group: group, position: groups[group].members.count - 1)
  }

  /// Ends a membership. The group's last member moves to the free position; returns that member unless it is the one
  /// that left.
  mutating func leave(_ membership: Membership) -> Int? {
    let last = groups[membership.group].members.removeLast()
    if groups[membership.group].members.isEmpty {
      numbers[groups[membership.group].audience] = nil
      emptyGroups.append(membership.group)
      return nil
    }
    guard membership.position < groups[membership.group].members.count else { return nil }
    groups[membership.group].members[membership.position] = last
    return last
  }

  private mutating func open(_ audience: Audience) -> Int {
    let group = Group(audience: audience, members: [])
    let number = emptyGroups.popLast() ?? groups.count
    if number == groups.count { groups.append(group) } else { groups[number] = group }
    numbers[audience] = number
    return number
  }
}
