import ZoneKitRecords
import ZoneKitTables

extension ClientRequest {
  /// A client's request to the accounts.
  package init(_ request: AccountRequest, from sender: SupabaseSender) {
    let parts = Self.parts(of: request)
    self.init(parts.method, "/auth/v1/\(parts.path)", body: parts.body?.bytes() ?? [])
    fields = sender.fields + [HTTPField(AuthDialect.fieldName, AuthDialect.version)]
  }

  private static func parts(of request: AccountRequest) -> (method: String, path: String, body: JSON?) {
    switch request {
    case .signIn(let email, let password):
      return ("POST", "token?grant_type=password", ["email": .string(email), "password": .string(password)])
    case .signUp(let email, let password, let metadata):
      let body: JSON = ["email": .string(email), "password": .string(password), "data": .object(metadata)]
      return ("POST", "signup", body)
    case .refresh(let token):
      return ("POST", "token?grant_type=refresh_token", ["refresh_token": .string(token)])
    case .read: return ("GET", "user", nil)
    case .update(let edit): return ("PUT", "user", body(of: edit, metadata: "data"))
    case .signOut(let scope): return ("POST", "logout?scope=\(scope.rawValue)", .object([]))
    case .list(let page, let size): return ("GET", "admin/users?page=\(page)&per_page=\(size)", nil)
    case .create(let edit): return ("POST", "admin/users", body(of: edit, metadata: "user_metadata"))
    case .find(let id): return ("GET", "admin/users/\(id.text)", nil)
    case .change(let id, let edit): return ("PUT", "admin/users/\(id.text)", body(of: edit, metadata: "user_metadata"))
    case .remove(let id): return ("DELETE", "admin/users/\(id.text)", nil)
    }
  }

  private static func body(of edit: AccountEdit, metadata: String) -> JSON {
    JSON(known: [
      "email": edit.email.map { .string($0) }, "password": edit.password.map { .string($0) },
      metadata: edit.metadata.isEmpty ? nil : .object(edit.metadata),
    ])
  }
}
