import SyncCoordinator

// The coordinator's module and its main type share one name, so that `SyncCoordinator.Conflict` would mean a member of the
// type. The library ZoneKit, which has to offer these types under their own names, finds them under these.

public typealias CoordinatorConflict = Conflict
public typealias CoordinatorMergePolicy = MergePolicy
public typealias CoordinatorResolution = Resolution
public typealias CoordinatorRecordEdit = RecordEdit
public typealias CoordinatorRecordContent = RecordContent
public typealias CoordinatorFieldMerge = FieldMerge
public typealias CoordinatorConflictEntry = ConflictEntry
public typealias CoordinatorDiagnostics = DeviceDiagnostics
public typealias CoordinatorStoreReset = StoreReset
public typealias CoordinatorSettings = CoordinatorConfiguration
