import Glibc

/// The limit of file descriptors of this process. Every connection takes one.
package enum OpenFileLimit {
  /// Raises the soft limit to the hard one (getrlimit(2), RLIMIT_NOFILE) and returns it.
  @discardableResult
  package static func raise() throws(LoopError) -> UInt64 {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { throw LoopError(errno: errno, "read", "the limit of open files") }
    guard limit.rlim_cur < limit.rlim_max else { return UInt64(limit.rlim_cur) }
    limit.rlim_cur = limit.rlim_max
    guard setrlimit(resource, &limit) == 0 else {
      throw LoopError(errno: errno, "raise", "the limit of open files to \(limit.rlim_max)")
    }
    return UInt64(limit.rlim_cur)
  }
}
