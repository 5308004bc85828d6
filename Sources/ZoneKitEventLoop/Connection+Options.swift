import ZoneKitCUV
import Glibc

/// The options of a connection's socket.
extension Connection {
  /// Disables Nagle's algorithm (RFC 896), because whole messages are written at once, and waiting for a full segment
  /// would only delay them.
  func setOptions() {
    guard !isUnix else { return }
    uv_tcp_nodelay(tcp, 1)
    limitSystemBacklog(Self.systemBacklog)
  }

  /// Limits the bytes that the system takes before it can send them (Linux: ip-sysctl, tcp_notsent_lowat); zero for no
  /// limit. Without one it takes megabytes for each peer that reads nothing. Together these can use up its memory for
  /// TCP; then it drops the packets of other connections.
  func limitSystemBacklog(_ bytes: Int32) {
    var (descriptor, limit): (Int32, Int32) = (-1, bytes)
    guard !isUnix, uv_fileno(handle, &descriptor) == 0 else { return }
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &limit, socklen_t(MemoryLayout<Int32>.size))
  }
}
