import type { StatusView } from "../../../../views/status.ts";

export type Workflow = NonNullable<StatusView["workflow"]>;
