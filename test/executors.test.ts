import { childExecutor } from "./support/child-executor.ts";
import { describeExecutor } from "./support/describe-executor.ts";
import { isCiEffort } from "./support/effort.ts";
import { playedExecutor } from "./support/played-executor.ts";

describeExecutor("in this process", (place) => playedExecutor(place).executor);
if (isCiEffort) describeExecutor("in processes of their own, told by lines of JSON", childExecutor);
