import ZoneKitSync

// The coordinator's module and its main type share one name, so that `SyncCoordinator.Conflict` would mean a member of the
// type. The library ZoneKit, which has to offer these types under their own names, finds them under these.

/// `Conflict` of the module SyncCoordinator.
public typealias CoordinatorConflict = Conflict
/// `ConflictEntry` of the module SyncCoordinator.
public typealias CoordinatorConflictEntry = ConflictEntry
/// `DeviceDiagnostics` of the module SyncCoordinator.
public typealias CoordinatorDiagnostics = DeviceDiagnostics
/// `FieldMerge` of the module SyncCoordinator.
public typealias CoordinatorFieldMerge = FieldMerge
/// `MergePolicy` of the module SyncCoordinator.
public typealias CoordinatorMergePolicy = MergePolicy
/// `RecordContent` of the module SyncCoordinator.
public typealias CoordinatorRecordContent = RecordContent
/// `RecordEdit` of the module SyncCoordinator.
public typealias CoordinatorRecordEdit = RecordEdit
/// `Resolution` of the module SyncCoordinator.
public typealias CoordinatorResolution = Resolution
/// `CoordinatorConfiguration` of the module SyncCoordinator.
public typealias CoordinatorSettings = CoordinatorConfiguration
/// `StoreReset` of the module SyncCoordinator.
public typealias CoordinatorStoreReset = StoreReset
