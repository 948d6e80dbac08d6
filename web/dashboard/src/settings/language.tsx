// The language of the dashboard. The server chooses the page by the cookie, else by what the browser asks for.
import { Section, SelectField } from "../kit";
import { texts } from "./texts";

const cookie = "parley_language";
const languages = ["en", "de"];

export function LanguageSection() {
  const chosen =
    document.cookie
      .split("; ")
      .find((one) => one.startsWith(`${cookie}=`))
      ?.slice(cookie.length + 1) ?? "";
  const choose = (language: string) => {
    const parts = [`${cookie}=${language}`, "path=/", "samesite=lax", `max-age=${language === "" ? 0 : 365 * 24 * 3600}`];
    if (location.protocol === "https:") parts.push("secure");
    document.cookie = parts.join("; ");
    location.reload();
  };
  const options = [{ value: "", label: texts.profile.likeBrowser }, ...languages.map((value) => ({ value, label: nameOf(value) }))];
  return (
    <Section title={texts.profile.language} description={texts.profile.languageHint}>
      <SelectField label={texts.profile.language} hideLabel options={options} value={chosen} onChange={choose} />
    </Section>
  );
}

/** The language's own name for itself. */
function nameOf(language: string): string {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}
