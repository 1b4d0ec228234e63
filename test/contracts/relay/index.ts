// `soundferry/relay/testing`: suites that prove the stores of a relay, with any test framework.

export { clockContract } from "./clock-contract.ts";
export type { ContractCase, MakeStore, StoreUnderTest, WaitOptions } from "./contract.ts";
export { faultCases, PLANTED_FAULTS } from "./faults/fault-cases.ts";
export type { FaultOf, FaultyPort, PlantedFault, StoreMakers } from "./faults/planted-fault.ts";
export { limitsContract, type MakeLimits } from "./limits-contract.ts";
export { notifierContract, type NotifyingProcess } from "./notifier/notifier-contract.ts";
export { type HuntOptions, recordHunts, recordsContract } from "./records/records-contract.ts";
export { turnsContract } from "./records/turns-contract.ts";
export { upkeepContract } from "./records/upkeep-contract.ts";
export { boundContract } from "./sounds/bound-contract.ts";
export { quarantineContract } from "./sounds/quarantine-contract.ts";
export { resumingContract } from "./sounds/resuming-contract.ts";
export { soundStoreContract } from "./sounds/sound-store-contract.ts";
export type { MakeSoundStore, SoundStoreUnderTest } from "./sounds/sounds-case.ts";
