import ZoneKitRecords
import ZoneKitSync

/// One thing that is done to a world: a step of a story, told by numbers so that a story without it is a story too.
package enum Deed: Hashable, Sendable {
  /// Lets that many milliseconds pass.
  case wait(Int64)
  /// A user types a line of the app's own commands.
  case app(Int, String)
  case start(Int)
  case kill(Int)
  /// The process dies at that point and is started again two seconds later.
  case crash(Int, CrashPoint)
  case forceQuit(Int)
  /// Of the unsynced commits that many of a thousand survive.
  case powerCut(Int, keeping: Int)
  case background(Int)
  case foreground(Int)
  case lowPower(Int, Bool)
  case online(Int, Bool)
  case link(Int, Link)
  case push(Int, PushFaults.Rule)
  /// The last push comes again.
  case replayPush(Int)
  case sync(Int)
  case signIn(Int, Name?)
  case clock(Int, offset: Int64)
  case drift(Int, Int64)
  case reset(Int, StoreReset)
  case disk(Int, DiskDeed)
  /// The first device's disk is copied to the second one, which then starts: a backup restored to a twin.
  case restoreCopy(of: Int, to: Int)
  /// The cloud's process dies and is started again that many milliseconds later.
  case killCloud(restartAfter: Int64)
  case crashCloud(CrashPoint)
  /// The cloud's disk takes nothing in any more, or does again.
  case fullCloudDisk(Bool)
  case fault(Fault)
  case clearFaults
  /// Somebody else of that account asks the cloud for something.
  case ask(Name, CloudRequest)
  case administer(Name, Administration)

  /// What can be done to a disk.
  package enum DiskDeed: Hashable, Sendable {
    /// The next commits keep nothing and fail.
    case failNext(Int)
    /// The next commits are kept and fail all the same.
    case failAfterNext(Int)
    case full(Bool)
    /// Commits are durable only after a sync.
    case losesUnsynced(Bool)
    case sync
  }

  /// What sort of thing it is, for summaries.
  package var kind: String {
    switch self {
    case .wait: "wait"
    case .app: "edit"
    case .start, .foreground, .background, .lowPower: "device life"
    case .kill, .crash: "kill"
    case .forceQuit: "force-quit"
    case .powerCut: "power cut"
    case .online, .link: "link"
    case .push, .replayPush: "push fault"
    case .sync: "manual sync"
    case .signIn: "account"
    case .clock, .drift: "clock"
    case .reset: "store reset"
    case .disk: "disk fault"
    case .restoreCopy: "twin"
    case .killCloud, .crashCloud: "cloud crash"
    case .fullCloudDisk: "cloud disk"
    case .fault, .clearFaults: "server fault"
    case .ask, .administer: "zone or subscription"
    }
  }
}
