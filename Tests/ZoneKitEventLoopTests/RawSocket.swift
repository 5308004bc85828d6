import ZoneKitEventLoop
import Glibc

/// A blocking client socket made without the code under test.
final class RawSocket {
  let descriptor: Int32
  private var isOpen = true

  /// Connects to a TCP address of 127.0.0.1 or a Unix path; -1 as descriptor when the system refuses.
  init(to address: Address, from last: UInt32 = 1) {
    let kind = Int32(SOCK_STREAM.rawValue)
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor: Int32
    switch address {
    case .tcp(_, let port):
      descriptor = socket(AF_INET, kind, 0)
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      own.sin_addr.s_addr = in_addr_t(0x7f00_0000 | last).bigEndian
      _ = withUnsafeBytes(of: &own) {
        bind(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), length)
      }
      var endpoint = sockaddr_in()
      endpoint.sin_family = sa_family_t(AF_INET)
      endpoint.sin_port = port.bigEndian
      endpoint.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: endpoint, as: sockaddr_in.self) }
    case .unix(let path):
      descriptor = socket(AF_UNIX, kind, 0)
      var endpoint = sockaddr_un()
      endpoint.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &endpoint.sun_path) { $0.copyBytes(from: path.utf8) }
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: endpoint, as: sockaddr_un.self) }
      length = socklen_t(MemoryLayout<sockaddr_un>.size)
    }
    let status = withUnsafeBytes(of: &storage) {
      connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), length)
    }
    if status != 0, descriptor >= 0 { Glibc.close(descriptor) }
    self.descriptor = status == 0 ? descriptor : -1
  }

  deinit { close() }

  func send(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// The text that came until the peer's end.
  func received() -> String {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &part, part.count, 0)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += part.prefix(count)
    }
  }

  /// Makes the next close send a reset instead of an end (socket(7), SO_LINGER with time 0).
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    if descriptor >= 0 { Glibc.close(descriptor) }
  }
}

/// A folder that is removed with what is in it when the value goes.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/zonekit-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template)!)
  }

  deinit {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        unlink("\(path)/\(name)")
      }
      closedir(folder)
    }
    rmdir(path)
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ content: [UInt8]) -> String {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
    _ = content.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    Glibc.close(descriptor)
    return file
  }
}
