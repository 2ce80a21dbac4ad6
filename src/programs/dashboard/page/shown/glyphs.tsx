import type { ComponentChildren, JSX } from "preact";

/** Each state has a shape of its own, so that none depends on its colour. A label is read aloud; without one it is decoration. */
interface GlyphProps {
  readonly label?: string | undefined;
  readonly big?: boolean;
}

function glyph(color: string, shape: ComponentChildren): (props: GlyphProps) => JSX.Element {
  return ({ label, big = false }) => (
    <svg
      class={`g ${color}${big ? " big" : ""}`}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      {...(label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label })}
    >
      {label !== undefined && <title>{label}</title>}
      {shape}
    </svg>
  );
}

const CHECK = <path d="M4.6 8.3l2.3 2.3 4.5-5" stroke-linecap="round" stroke-linejoin="round" />;
const CROSS = <path d="M5 5l6 6M11 5l-6 6" stroke-linecap="round" />;

const Verified = glyph(
  "c-green",
  <>
    <circle cx="8" cy="8" r="7" fill="currentColor" stroke="none" />
    <g stroke="var(--bg)">{CHECK}</g>
  </>,
);

export const Weak = glyph(
  "c-amber",
  <>
    <circle cx="8" cy="8" r="6.2" />
    <path d="M8 1.8a6.2 6.2 0 0 0 0 12.4z" fill="currentColor" stroke="none" />
  </>,
);

const Unverified = glyph("c-ink3", <circle cx="8" cy="8" r="6.2" stroke-dasharray="2.6 2.6" />);
export const Passed = glyph("c-green", CHECK);
export const Failed = glyph("c-red", CROSS);
export const NotAsked = glyph("c-ink3", <circle cx="8" cy="8" r="1" fill="currentColor" stroke="none" />);

export const Disputed = glyph(
  "c-violet",
  <>
    <path d="M5.4 6.2a2.6 2.6 0 1 1 3.9 2.2c-.9.5-1.3.9-1.3 1.8" stroke-width="1.8" stroke-linecap="round" />
    <circle cx="8" cy="12.8" r="1.1" fill="currentColor" stroke="none" />
  </>,
);

export const Stands = glyph(
  "c-green",
  <>
    <rect x="2" y="2" width="12" height="12" rx="2.4" fill="currentColor" stroke="none" />
    <g stroke="var(--bg)">{CHECK}</g>
  </>,
);

export const Contradicts = glyph(
  "c-red",
  <>
    <rect x="2" y="2" width="12" height="12" rx="2.4" fill="currentColor" stroke="none" />
    <g stroke="var(--bg)">{CROSS}</g>
  </>,
);

export const Open = glyph(
  "c-amber",
  <rect x="2.6" y="2.6" width="10.8" height="10.8" rx="2" stroke-dasharray="2.4 2" />,
);

export const Person = glyph(
  "c-violet",
  <g fill="currentColor" stroke="none">
    <circle cx="8" cy="5" r="3" />
    <path d="M2.4 14c0-3.4 2.4-5 5.6-5s5.6 1.6 5.6 5z" />
  </g>,
);

export const Died = glyph(
  "c-violet",
  <>
    <path d="M8 2.2L14.4 13.6H1.6z" stroke-linejoin="round" />
    <path d="M8 6.6v3.2M8 11.6v.4" stroke-linecap="round" />
  </>,
);

export const Warning = glyph(
  "c-amber",
  <>
    <path d="M8 2.2L14.4 13.6H1.6z" fill="currentColor" stroke-linejoin="round" />
    <path d="M8 6.4v3.2M8 11.6v.4" stroke="var(--bg)" stroke-linecap="round" />
  </>,
);
export const AtWork = glyph(
  "c-blue",
  <>
    <circle cx="8" cy="8" r="6.2" stroke-dasharray="24 15" class="turning" />
    <path d="M6.6 5.4v5.2L10.6 8z" fill="currentColor" stroke="none" />
  </>,
);

export const Waits = glyph(
  "c-amber",
  <>
    <circle cx="8" cy="8" r="6.2" />
    <path d="M8 4.6V8l2.2 1.6" stroke-linecap="round" />
  </>,
);

export const Cut = glyph("c-ink3", <path d="M4 8h8" stroke-linecap="round" />);
export const NoClaim = glyph("c-ink3", <circle cx="8" cy="8" r="3.2" />);
export const Accepted = glyph("c-green", <path d="M8 2.6L13.4 8 8 13.4 2.6 8z" fill="currentColor" />);
export const Refused = glyph("c-red", <path d="M8 2.6L13.4 8 8 13.4 2.6 8z" />);

export const Paused = glyph(
  "c-violet",
  <path d="M5.5 4v8M10.5 4v8" stroke-linecap="round" stroke-width="2.2" />,
);

export const Quote = glyph(
  "c-ink2",
  <path
    d="M3 10.6c0-3 1.2-5 3.4-5.8l.4.8C5.6 6.3 5 7.2 5 8.2h1.6v3.4H3zM9.2 10.6c0-3 1.2-5 3.4-5.8l.4.8c-1.2.7-1.8 1.6-1.8 2.6h1.6v3.4H9.2z"
    fill="currentColor"
    stroke="none"
  />,
);

export const Logo = glyph(
  "",
  <>
    <path
      d="M13.4 7.2A5.6 5.6 0 1 1 10.8 3.2M13.6 1.6v3.8H9.8"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
    <path d="M5.6 8.4l1.8 1.8 3.2-3.6" stroke-linecap="round" stroke-linejoin="round" />
  </>,
);

export const Find = glyph(
  "",
  <>
    <circle cx="7" cy="7" r="4.4" />
    <path d="M10.4 10.4L14 14" stroke-linecap="round" />
  </>,
);

export function Seal({
  confidence,
  big = false,
}: {
  readonly confidence: string | null;
  readonly big?: boolean;
}) {
  if (confidence === "verified") return <Verified label="verified" big={big} />;
  if (confidence === "weak") return <Weak label="weak" big={big} />;
  return <Unverified label="unverified" big={big} />;
}

/** Between two columns: does what is right of it agree with what is left of it? */
export function Relation({ agrees }: { readonly agrees: boolean }) {
  return (
    <span class={agrees ? "rel c-ink2" : "rel ne"}>
      <span aria-hidden="true" title={agrees ? "they agree" : "they contradict each other"}>
        {agrees ? "=" : "≠"}
      </span>
      <span class="sr">{agrees ? "agrees" : "contradicts"}</span>
    </span>
  );
}
