import { lazy, Suspense, useEffect, useState } from "react";
import type { ArticleDraft } from "../../../shared/api.gen";
import { api } from "../api/client";
import { useToast } from "../kit";
import { useForgetAnswers } from "./answers";

const NewArticle = lazy(() => import("../articles").then((m) => ({ default: m.NewArticle })));

/** Proposes an article from a conversation, without personal data. Once it is created, it leads back here, and opens in the editor. */
export function DraftArticle({ conversationId, onClose }: { conversationId: string; onClose: () => void }) {
  const toast = useToast();
  const forget = useForgetAnswers();
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
      <NewArticle
        start={{ title, body, productId: productId ?? "", language: "" }}
        onCreated={({ id }) => api.put(`/v1/dashboard/articles/${id}/origin`, { conversationId }).then(forget, (fault: unknown) => void toast.failed(fault))}
        onClose={onClose}
      />
    </Suspense>
  );
}
