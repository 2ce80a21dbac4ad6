import { exported, go, route } from "../data/state.ts";

export function Tabs({ isPlan }: { readonly isPlan: boolean }) {
  const { view, key } = route.value;
  const base = exported === null ? `/l/${key ?? ""}` : "";
  const link = (path: string): string =>
    exported === null ? (path === "loop" ? base : `${base}/${path}`) : `#${path === "loop" ? "" : path}`;
  const tabs = [
    ["loop", isPlan ? "Plan" : "Loop"] as const,
    ...(isPlan ? [["review", "Review"] as const] : []),
    ...(exported === null ? [["log", "Log"] as const] : []),
  ];
  return (
    <nav class="tabs" aria-label="views of this loop">
      {tabs.map(([path, label]) => (
        <a
          key={path}
          href={link(path)}
          aria-current={view === path ? "page" : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            go(link(path));
          }}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
