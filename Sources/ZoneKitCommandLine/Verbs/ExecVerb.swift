import ZoneKitEventLoop
import ZoneKitProcesses
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitThreads

/// `zonekit exec`: a server for the time of one command.
enum ExecVerb {
  static let spec = VerbSpec(
    "exec", "-- COMMAND [ARGUMENT...]", meanings: ["ARGUMENT": .file],
    summary: "run a command with a fresh server, which ends with it",
    details: """
      The server has free ports of 127.0.0.1 and a folder of its own. It is removed afterwards. The environment of the
      command says where the server is:

      ZONEKIT_HTTP               the address for requests, host:port
      ZONEKIT_PUSH               the address of the push socket
      ZONEKIT_DATA               the folder, which zonekit takes where --data is missing
      ZONEKIT_KEY                the key for requests below /zonekit, with --auth strict
      SUPABASE_URL               the URL of the tables
      SUPABASE_ANON_KEY          the key of apps
      SUPABASE_SERVICE_ROLE_KEY  the key of the server's owner

      The exit code is that of the command, 128 + N if signal N ended it, and 3 if the command cannot be started. SIGINT,
      SIGTERM, SIGHUP and SIGQUIT go to the command; the server ends after it.
      \(ServerArguments.details)
      """,
    options: [
      OptionSpec("--import", "FOLDER", help: "begin with the cloud of this data directory, snapshot's folder or export")
    ] + ServerArguments.options,
    examples: [
      "zonekit exec -- npm test", "zonekit exec --import seed --tables supabase/migrations -- python3 -m unittest",
      "zonekit exec -- sh -c 'zonekit device A -c \"log diaper pee\" && curl http://$ZONEKIT_HTTP/zonekit/status'",
    ],
    run: run)

  private static func run(_ words: Invocation) throws(ExitFailure) -> Int32 {
    guard !words.operands.isEmpty else { throw .usage("COMMAND is missing; write it after --") }
    guard !words.has("--data") else {
      throw .usage("--data does not go with exec, whose server has a folder of its own")
    }
    // The threads of the server must not take the command's signals.
    GuestCommand.holdSignals()
    let folder: String
    do throws(StoreError) { folder = try Folder.makeTemporary() } catch { throw .unavailable("\(error)") }
    defer {
      do throws(StoreError) { try Folder.remove(folder) } catch { Console.complain("the folder remains: \(error)") }
    }
    return try run(words, in: DataDirectory(folder))
  }

  private static func run(_ words: Invocation, in data: DataDirectory) throws(ExitFailure) -> Int32 {
    let anyPort = Address.tcp(host: "127.0.0.1", port: 0)
    var options = try ServerArguments.serverOptions(words, data: data, http: anyPort, push: anyPort)
    options.endsAtSignals = false
    try ServerArguments.bringCloud(of: words, into: data)
    do {
      let loop = try Loop()
      let server = try Server(options, on: loop)
      if let signal = GuestCommand.pendingSignal {
        server.close()
        throw ExitFailure.interrupted(by: signal, "interrupted before \(words.operands[0]) was started")
      }
      return try run(words.operands, beside: server, on: loop, variables: variables(of: server, in: data))
    } catch let failure as ExitFailure {
      throw failure
    } catch let failure as ProcessFailure {
      throw ExitFailure(failure)
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Serves until the command has ended. Returns its exit code.
  private static func run(
    _ command: [String], beside server: Server, on loop: Loop, variables: [(name: String, text: String?)]
  ) throws -> Int32 {
    // Closing the loop closes the waker too.
    let waker = try Waker(on: loop) { loop.stop() }
    let guest: GuestCommand
    do throws(ProcessFailure) {
      guest = try GuestCommand(command, variables: variables)
    } catch {
      server.close()
      throw error
    }
    let code = Lock<Int32>(0)
    let refusal = DetachedThread.start {
      let ended = guest.wait()
      code.withLock { $0 = ended }
      waker.wake()
    }
    guard refusal == 0 else { preconditionFailure("the system refuses a thread (error \(refusal))") }
    server.run()
    if let failure = server.failure { throw failure }
    return code.withLock { $0 }
  }

  private static func variables(of server: Server, in data: DataDirectory) -> [(name: String, text: String?)] {
    let variables = server.variables
    return variables.known.map { ($0.name, $0.text) } + [(Invocation.dataVariable, data.root)]
      + variables.missing.map { ($0, nil) }
  }
}
