// The questions that no article answers.
import { CircleHelp, FilePlus2, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { KnowledgeGap } from "../../../shared/api.gen";
import { api } from "../api/client";
import { useQuery } from "../api/useQuery";
import { Badge, Button, EmptyState, ErrorState, IconButton, Page, RelativeTime, SelectField, SkeletonRows, useAction, useNow } from "../kit";
import { useProducts } from "../sync";
import css from "./Gaps.module.css";
import { keywordsOf, lastWeeks, questionsOf, titleOf, weekName, type Question } from "./gaps";
import { texts } from "./gaps.texts";
import { languageName } from "./languages";
import { NewArticle } from "./NewArticle";
import { texts as articleTexts } from "./texts";

const path = "/v1/dashboard/knowledge-gaps";
const weeksShown = 26;
const ignore = () => undefined;

export function GapsPage() {
  const products = useProducts();
  const weeks = lastWeeks(useNow(), weeksShown);
  const [productId, setProductId] = useState("");
  const [week, setWeek] = useState("");
  const { data, error, reload } = useQuery<{ data: KnowledgeGap[] }>(path, { productId, since: week || (weeks.at(-1) ?? ""), until: week });
  const questions = useMemo(() => questionsOf(data?.data ?? []), [data]);
  const [writing, setWriting] = useState<Question>();
  const { busy, run } = useAction();
  const drop = ({ productId: of, language, words }: Question) => api.post(`${path}/dismiss`, { productId: of, language, words });
  const dismiss = async (question: Question) => {
    if (await run(() => drop(question), texts.dismissed)) reload();
  };
  const nameOf = (id: string | null) => (id === null ? texts.noProduct : (products.find((product) => product.id === id)?.name ?? texts.product));
  return (
    <Page title={texts.title} description={texts.description} back={{ href: "/articles", label: articleTexts.list.title }}>
      <div className={css.filters}>
        <SelectField
          label={texts.product}
          hideLabel
          value={productId}
          options={[{ value: "", label: texts.anyProduct }, ...products.map(({ id, name }) => ({ value: id, label: name })), { value: "none", label: texts.noProduct }]}
          onChange={setProductId}
        />
        <SelectField
          label={texts.week}
          hideLabel
          value={week}
          options={[{ value: "", label: texts.allWeeks }, ...weeks.map((value) => ({ value, label: texts.weekOf(weekName(value)) }))]}
          onChange={setWeek}
        />
      </div>
      <p className="visually-hidden" role="status">
        {data ? texts.shown(questions.length) : texts.loading}
      </p>
      {questions.length > 0 ? (
        <ul className={css.list} aria-label={texts.title}>
          {questions.map((question) => (
            <li key={question.key} className={css.row}>
              <span className={css.count} title={texts.asked(question.count)}>
                <span aria-hidden>{question.count}</span>
                <span className="visually-hidden">{texts.asked(question.count)}</span>
              </span>
              <span className={css.main}>
                <span className={css.sample} dir="auto" lang={question.language || undefined}>
                  {question.sample || question.words}
                </span>
                <span className={css.detail}>
                  <span>{nameOf(question.productId)}</span>
                  {question.language !== "" && <span>{languageName(question.language)}</span>}
                  <RelativeTime at={question.lastAt} />
                  {question.sources.map((source) => (
                    <Badge key={source}>{texts.sources[source]}</Badge>
                  ))}
                </span>
              </span>
              <span className={css.actions}>
                <Button icon={<FilePlus2 size={16} />} aria-label={texts.writeOf(question.sample)} onClick={() => setWriting(question)}>
                  {texts.write}
                </Button>
                <IconButton label={texts.dismissOf(question.sample)} icon={<X size={16} />} disabled={busy} onClick={() => void dismiss(question)} />
              </span>
            </li>
          ))}
        </ul>
      ) : error ? (
        <ErrorState error={error} onRetry={reload} />
      ) : data ? (
        <EmptyState icon={<CircleHelp size={20} />} title={texts.none}>
          {texts.whatFor}
        </EmptyState>
      ) : (
        <SkeletonRows count={8} avatar={false} />
      )}
      {writing && (
        <NewArticle
          start={{ title: titleOf(writing.sample), productId: writing.productId ?? "", language: writing.language, keywords: keywordsOf(writing.sample) }}
          onCreated={() => drop(writing).then(ignore, ignore)} // if it fails, the list still has it
          onClose={() => setWriting(undefined)}
        />
      )}
    </Page>
  );
}
