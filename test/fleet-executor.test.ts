import { describeExecutor } from "./support/describe-executor.ts";
import { memoryFleetExecutor } from "./support/memory-executor.ts";

describeExecutor("on a worker with another clone, through rows in memory", memoryFleetExecutor);
