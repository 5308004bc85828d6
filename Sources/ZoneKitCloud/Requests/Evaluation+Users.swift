import ZoneKitRecords

extension Evaluation {
  /// The caller, the users that the container knows, or each of the named users (CloudKit Web Services, a.1 rows 14 to
  /// 20). The live service refuses some of these in a private database, and clients ask there; all databases answer the
  /// same (i.9).
  mutating func fetchUsers(_ query: UserQuery) throws(EvaluationFailure) -> Outcome {
    try checkCount(query.lookups.count, of: "users")
    switch query {
    case .caller:
      let lookup = UserLookup.userRecordName(caller.userRecordName)
      let known = try reader.users([lookup], near: database)[0]?.identity
      return Outcome(.users([.user(known ?? UserIdentity(userRecordName: caller.userRecordName), lookup)]))
    case .discover(let lookups):
      let found = zip(lookups, try reader.users(lookups, near: database))
      return Outcome(.users(found.compactMap { lookup, user in user.map { .user($0.identity, lookup) } }))
    case .lookup(let lookups):
      let found = zip(lookups, try reader.users(lookups, near: database))
      return Outcome(
        .users(
          found.map { lookup, user in
            user.map { .user($0.identity, lookup) } ?? .failed(lookup, unknown(lookup))
          }))
    }
  }

  private func unknown(_ lookup: UserLookup) -> CloudError {
    let text =
      switch lookup {
      case .userRecordName(let name): "user record name \(name)"
      case .emailAddress(let address): "e-mail address \(address)"
      case .phoneNumber(let number): "phone number \(number)"
      }
    return CloudError(.unknownItem, "the container has no user with the \(text)")
  }
}
