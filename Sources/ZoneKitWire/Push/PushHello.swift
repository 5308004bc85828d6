import ZoneKitRecords

/// The first line that a client sends on the push socket.
package enum PushHello: Hashable, Sendable {
  /// A device with a registered token.
  case token(String, device: String)
  /// A watcher of a user's changes (open mode only), in one container and environment or in any. The changes of the
  /// named device are left out.
  case watch(user: Name, device: String?, container: Name?, environment: Environment?)

  /// Parses a hello, as in `{"hello":{"token":"…","device":"A"}}`. Unknown keys are ignored.
  package init(line: ArraySlice<UInt8>) throws(PushLineError) {
    guard let hello = try JSON(pushLine: line)["hello"] else {
      throw PushLineError(#"expected a hello as in {"hello":{"token":"…","device":"…"}}, found no member "hello""#)
    }
    guard hello.object != nil else { throw PushLineError(#"expected "hello" to be an object, found \#(hello.kind)"#) }
    let token = try hello.text("token")
    let user = try hello.text("user")
    let device = try hello.text("device")
    switch (token, user) {
    case (let token?, nil):
      guard let device else { throw PushLineError(#"expected "device" beside "token" in "hello", found none"#) }
      self = .token(token, device: device)
    case (nil, let user?):
      let container = try hello.text("container").map { Name($0) }
      let environment = try hello.environment()
      self = .watch(user: Name(user), device: device, container: container, environment: environment)
    case (nil, nil): throw PushLineError(#"expected "token" or "user" in "hello", found neither"#)
    case (_?, _?): throw PushLineError(#"expected "token" or "user" in "hello", found both"#)
    }
  }

  /// The hello as a line with its end.
  package var line: [UInt8] {
    let hello: JSON =
      switch self {
      case .token(let token, let device): ["token": .string(token), "device": .string(device)]
      case .watch(let user, let device, let container, let environment):
        JSON(known: [
          "user": .string(user.text), "device": device.map { .string($0) },
          "container": container.map { .string($0.text) }, "environment": environment.map { .string($0.rawValue) },
        ])
      }
    return (["hello": hello] as JSON).bytes() + [0x0A]
  }
}

extension JSON {
  /// The environment to which a hello is limited; nil if it names none.
  fileprivate func environment() throws(PushLineError) -> Environment? {
    guard let name = try text("environment") else { return nil }
    guard let environment = Environment(rawValue: name) else {
      throw PushLineError(#"expected "environment" in "hello" to be \#(Environment.allNames), found \#(name)"#)
    }
    return environment
  }

  /// Parses a line that must be one JSON object.
  init(pushLine line: ArraySlice<UInt8>) throws(PushLineError) {
    do throws(JSONError) {
      try self.init(parsing: line)
    } catch {
      throw PushLineError("expected a line with one JSON object: at byte \(error.offset), \(error.message)")
    }
    guard object != nil else { throw PushLineError("expected a line with one JSON object, found \(kind)") }
  }

  /// A string of the hello, limited to the length of a name; nil if it is absent.
  fileprivate func text(_ key: String) throws(PushLineError) -> String? {
    guard let value = self[key], !value.isNull else { return nil }
    guard let text = value.string else {
      throw PushLineError(#"expected "\#(key)" in "hello" to be a string, found \#(value.kind)"#)
    }
    guard (1...Name.lengthLimit).contains(text.unicodeScalars.count) else {
      throw PushLineError(
        #"expected "\#(key)" in "hello" to have 1 to \#(Name.lengthLimit) characters, found \#(text.unicodeScalars.count)"#
      )
    }
    return text
  }
}
