const TIME_LIMIT_MS = 30_000;

export async function fetchJson(url, headers) {
  const response = await fetch(url, {
    headers: { accept: "application/json", "user-agent": "loopwright", ...headers },
    // An issue that was moved to another project is no longer this one's, and a token is not sent after it.
    redirect: "manual",
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  if (!response.ok) throw new Error(`${new URL(url).pathname} was answered with ${response.status}`);
  return response.json();
}
