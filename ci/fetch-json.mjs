const TIME_LIMIT_MS = 30_000;

/** With a body, it is sent; without one, only read. */
export async function fetchJson(url, headers, body) {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json",
      "user-agent": "loopwright",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    // An issue that was moved to another project is no longer this one's, and a token is not sent after it.
    redirect: "manual",
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  if (!response.ok) throw new Error(`${new URL(url).pathname} was answered with ${response.status}`);
  return response.json();
}
