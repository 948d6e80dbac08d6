import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Attachment } from "../api/types";
import { ended } from "./files";

/** The address of a file, and a way to renew it. A file that cannot be read is retried rarely. */
export function useAddress({ id, url: given }: Attachment): { url: string; refresh: () => Promise<string> } {
  const [url, setURL] = useState(given);
  useEffect(() => setURL(given), [given]);
  const refresh = async () => {
    if (!ended(url, Date.now())) return url;
    try {
      const fresh = (await api.get<Attachment>(`/v1/public/attachments/${id}`)).url;
      setURL(fresh);
      return fresh;
    } catch {
      return url; // the link shows the error
    }
  };
  return { url, refresh };
}
