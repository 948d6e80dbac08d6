import type { OlderBackups } from "../api/types";
import { fullTime, shortDate } from "../kit";
import { texts } from "./texts";

/** Which backups contain a person who is erased, and until when. */
export function backupsText({ scheduled, unknown, newestAt, endAt }: OlderBackups): string {
  if (!scheduled) return texts.erase.noSchedule;
  if (unknown) return texts.erase.perhapsBackedUp;
  if (newestAt === null) return texts.erase.notBackedUp;
  return endAt === null ? texts.erase.backedUp(fullTime(newestAt)) : texts.erase.backedUpUntil(fullTime(newestAt), shortDate(endAt));
}
