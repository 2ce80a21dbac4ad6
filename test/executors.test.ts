import { childExecutor } from "./support/child-executor.ts";
import { describeExecutor } from "./support/describe-executor.ts";
import { playedExecutor } from "./support/played-executor.ts";

describeExecutor("in this process", (place) => playedExecutor(place).executor);
describeExecutor("in processes of their own, told by lines of JSON", childExecutor);
