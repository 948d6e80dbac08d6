// The icons, after Lucide (ISC licence).
const icon = (paths: string[], size = 20, points = false) =>
  function Icon() {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        stroke-linejoin="round"
        aria-hidden="true"
        class={points ? "points" : undefined}
      >
        {paths.map((d) => (
          <path key={d} d={d} />
        ))}
      </svg>
    );
  };

export const Back = icon(["m15 18-6-6 6-6"], 20, true);
export const Close = icon(["M18 6 6 18", "m6 6 12 12"]);
export const Remove = icon(["M18 6 6 18", "m6 6 12 12"], 14);
export const Send = icon(["M12 19V5", "m5 12 7-7 7 7"]);
export const Clip = icon(["m16 6-8.4 8.6a2 2 0 0 0 2.8 2.8l8.4-8.6a4 4 0 1 0-5.6-5.6L4.8 11.6a6 6 0 1 0 8.5 8.5l8-8.2"]);
export const File = icon(["M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7Z", "M14 2v5a1 1 0 0 0 1 1h5"], 18);
export const Next = icon(["m9 18 6-6-6-6"], 18, true);
export const Find = icon(["M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14", "m20 20-4-4"], 18);
export const Page = icon(["M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7Z", "M8 12h8", "M8 16h5"], 18);
export const Write = icon(["M12 20h9", "M16.4 3.6a1 1 0 0 1 3 3L7.4 18.6 3 20l1.4-4.4Z"], 18);
export const Sound = icon(["M6 8a6 6 0 0 1 12 0c0 7 3 9 3 9H3s3-2 3-9", "M10.3 21a1.9 1.9 0 0 0 3.4 0"], 18);
export const Silent = icon(["M8.7 3A6 6 0 0 1 18 8c0 2.7.4 4.7 1 6.1", "M17 17H3s3-2 3-9a4.7 4.7 0 0 1 .3-1.7", "M10.3 21a1.9 1.9 0 0 0 3.4 0", "m2 2 20 20"], 18);
