import ZoneKitEventLoop
import Glibc
import Testing

@Suite struct OpenFileLimitTests {
  @Test func `the soft limit becomes the hard limit`() async {
    await #expect(processExitsWith: .success) {
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      limit.rlim_cur = 256
      setrlimit(resource, &limit)
      let raised = try OpenFileLimit.raise()
      #expect(raised == UInt64(limit.rlim_max))
      getrlimit(resource, &limit)
      #expect(limit.rlim_cur == limit.rlim_max)
    }
  }
}
