extension ScenarioStep {
  /// The first device that the line names; nil if it names none.
  package var device: String? {
    switch self {
    case .wait, .note, .countFromHere, .measureFromHere, .repeated, .stopUnlessDeviceIDsDiffer: nil
    case .app(let step): step.device
    case .link(let step): step.device
    case .push(let step): step.device
    case .cloud(let step): step.device
    case .zone(let step): step.holder.device
    case .life(let step): step.device
    case .account(let step): step.device
    case .clock(let step): step.device
    case .disk(let step): step.device
    case .damage(let step): step.device
    case .reset(let step): step.device
    case .tables(let step): step.device
    case .documents(let step): step.record.device
    case .expect(let expectation, _): expectation.device
    }
  }
}

extension AppStep {
  fileprivate var device: String? {
    switch self {
    case .perform(let devices, _), .sync(let devices): devices.first
    case .edit(let device, _, _), .delete(let device, _), .save(let device, _, _, _, _, _),
      .syncInsideMerge(let device):
      device
    }
  }
}

extension LinkStep {
  fileprivate var device: String? {
    switch self {
    case .offline(let devices), .online(let devices), .set(let devices, _): devices.first
    case .cut(let link), .slow(let link, _), .lose(_, let link), .duplicate(_, let link), .reorder(let link),
      .clog(let link), .heal(let link):
      link.devices.first
    case .healEverything, .recover: nil
    }
  }
}

extension ScenarioLink {
  /// The devices with that link.
  package var devices: DeviceChoice {
    switch self {
    case .both(let devices), .toCloud(let devices), .fromCloud(let devices), .push(let devices): devices
    }
  }
}

extension PushStep {
  fileprivate var device: String? {
    switch self {
    case .fault(let fault): fault.receiver
    case .replay(let device), .flow(let device), .stray(let device, _), .strayAccount(let device, _),
      .tokenDies(let device):
      device
    case .gatewayRestarts: nil
    }
  }
}

extension CloudStep {
  fileprivate var device: String? {
    switch self {
    case .answer(_, _, let device, _, _), .loseAnswer(_, _, let device), .loseRequest(_, _, let device),
      .delayAnswer(_, _, let device, _), .repeatRequest(_, _, let device), .refuseItems(_, _, let device, _, _, _, _),
      .staleFeed(_, _, let device, _), .stuckToken(_, _, let device), .doubleRecords(_, _, let device),
      .expireTokens(_, let device):
      device
    case .partly(let step, _, _): step.device
    case .refuse(let record, _), .accept(let record): record.device
    case .omit(let record, _, let device): record.device ?? device
    case .expireDatabaseTokens(let holder), .loseSubscription(let holder), .muteSubscription(let holder): holder.device
    case .doubleSubscription(let device): device
    case .refuseAbove, .full, .hasRoom, .showLate, .listZone, .fullDisk, .behave: nil
    }
  }
}

extension ZoneStep {
  fileprivate var holder: Holder {
    switch self {
    case .create(_, let holder), .delete(_, let holder), .purge(_, let holder), .resetKeys(_, let holder),
      .lose(_, let holder), .forgetDeletions(_, let holder, _), .expireTokens(_, let holder):
      holder
    }
  }
}

extension LifeStep {
  fileprivate var device: String? {
    switch self {
    case .background(let devices), .foreground(let devices), .look(let devices), .forceQuit(let devices),
      .lowPower(let devices), .fullPower(let devices), .backgroundRefresh(let devices, _):
      devices.first
    case .kill(let place), .killFor(let place, _), .killAt(let place, _, _), .powerCut(let place, _), .start(let place),
      .restart(let place):
      place.device
    case .erase(let device), .backUp(let device), .restoreBackup(let device), .restoreCopy(let device, _),
      .restoreOnto(let device, _):
      device
    }
  }
}

extension AccountStep {
  fileprivate var device: String? {
    switch self {
    case .signOut(let devices), .signIn(let devices, _), .switchTo(let devices, _), .signUp(let devices, _):
      devices.first
    case .available(let device, _), .migrate(let device), .rollBack(let device, _): device
    }
  }
}

extension ClockStep {
  fileprivate var device: String {
    switch self {
    case .offset(let device, _), .right(let device), .drift(let device, _), .set(let device, _), .stands(let device, _),
      .zone(let device, _):
      device
    }
  }
}

extension DiskStep {
  fileprivate var device: String {
    switch self {
    case .failWrites(let device, _, _), .full(let device), .hasRoom(let device), .slow(let device, _),
      .buffers(let device, _), .sync(let device):
      device
    }
  }
}

extension DamageStep {
  fileprivate var device: String? {
    switch self {
    case .damageRecord(let record, let holder): record.device ?? holder.device
    case .damagePhoto(_, let holder), .backUpZone(_, let holder), .restoreZone(_, let holder),
      .loseCommits(_, _, let holder):
      holder.device
    case .backUpCloud, .restoreCloud, .repairCloud: nil
    case .damageTokens(_, let device): device
    }
  }
}

extension ResetStep {
  fileprivate var device: String? {
    switch self {
    case .local(let device, _), .tokens(let device): device
    case .zone(_, let holder): holder.device
    case .cloud: nil
    }
  }
}

extension Expectation {
  fileprivate var device: String? {
    switch self {
    case .everyoneAgrees, .convergence, .noEditLost, .currentViews, .copiesToldApart, .nothingLeft, .nobodyAsks,
      .noWrites:
      nil
    case .plainPush: nil
    case .same(let devices): devices.first
    case .has(let place, let record), .lacks(let place, let record), .field(let place, let record, _):
      place.device ?? record.device
    case .running(let place, _): place.device
    case .counts(let device, _), .reports(let device, _, _), .rule(let device, _, _), .journal(let device, _),
      .quarantine(let device, _), .subscription(let device, _), .subscriptions(_, let device), .drought(let device, _),
      .storm(let device, _), .noRequests(let device, _), .tokenUnused(let device, _), .deviceID(let device, _),
      .differentDeviceIDs(let device, _), .holdsNothing(let device, _), .state(let device, _),
      .statusLine(let device, _), .fetchReason(let device, _), .fetchShown(let device, _),
      .requestsApart(let device, _), .channel(let device, _),
      .migration(let device, _),
      .balance(let device, _, _), .photo(let device, _, _):
      device
    }
  }
}

extension DeviceChoice {
  /// The first device of the list; nil for every device.
  fileprivate var first: String? {
    switch self {
    case .every: nil
    case .named(let names): names.first
    }
  }
}

extension Holder {
  fileprivate var device: String? {
    switch self {
    case .device(let name): name
    case .account: nil
    }
  }
}

extension Place {
  fileprivate var device: String? {
    switch self {
    case .cloud: nil
    case .device(let name): name
    }
  }
}

extension RecordReference {
  /// The device that made the record; nil if the record is named.
  var device: String? {
    switch self {
    case .last(let owner, _), .nth(_, let owner, _): owner
    case .named: nil
    }
  }
}
