// Changes of many conversations at once: what the server is asked, and which job this tab follows.
import { api } from "../api/client";
import type { BulkJob, NewBulkJob } from "../api/types";
import { readStored, writeStored } from "../kit";
import { createCell } from "../sync/cell";

/** What happens to each conversation. */
export type BulkDo = Pick<NewBulkJob, "change" | "label" | "unlabel" | "read">;
/** Which conversations. */
export type BulkOf = Pick<NewBulkJob, "ids" | "filter" | "except">;

const key = "parley.bulk";

/** The id of the job that this tab follows, over a reload too; "" for none. */
export const followed = createCell(readStored(key, "sessionStorage") ?? "");

export function follow(id: string) {
  writeStored(key, id || null, "sessionStorage");
  followed.set(id);
}

/** Starts a job, and follows it. */
export async function startBulk(of: BulkOf, what: BulkDo): Promise<void> {
  follow((await api.post<BulkJob>("/v1/dashboard/bulk", { ...of, ...what })).id);
}
