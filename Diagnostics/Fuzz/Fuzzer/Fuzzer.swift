import Glibc

/// The target that this process feeds: the one that ZONEKIT_FUZZ_TARGET names.
private let target: FuzzTarget = {
  let name = getenv("ZONEKIT_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    preconditionFailure("ZONEKIT_FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue)), not '\(name)'")
  }
  return target
}()

/// Takes one input of libFuzzer. A property that does not hold ends the process, so that the input is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do {
    try target.check(bytes)
  } catch {
    // A release leaves the texts of traps out.
    let text = Array("finding: \(target.rawValue): \(error)\n".utf8)
    _ = write(STDERR_FILENO, text, text.count)
    abort()
  }
  return 0
}
