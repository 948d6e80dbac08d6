import { lazy, Suspense, useEffect, useState } from "react";
import type { ArticleDraft } from "../../../shared/api.gen";
import { api } from "../api/client";
import { useToast } from "../kit";

const NewArticle = lazy(() => import("../articles").then((m) => ({ default: m.NewArticle })));

/** Proposes an article from a conversation, without personal data, and opens it in the editor once it is created. */
export function DraftArticle({ conversationId, onClose }: { conversationId: string; onClose: () => void }) {
  const toast = useToast();
  const [draft, setDraft] = useState<ArticleDraft>();
  useEffect(() => {
    const abort = new AbortController();
    api.get<ArticleDraft>(`/v1/dashboard/conversations/${conversationId}/article-draft`, {}, abort.signal).then(setDraft, (error: unknown) => {
      if (abort.signal.aborted) return;
      toast.failed(error);
      onClose();
    });
    return () => abort.abort();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each opening
  }, [conversationId]);
  if (!draft) return null;
  const { title, body, productId } = draft;
  return (
    <Suspense fallback={null}>
      <NewArticle start={{ title, body, productId: productId ?? "", language: "" }} onClose={onClose} />
    </Suspense>
  );
}
