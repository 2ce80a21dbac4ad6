/** What of the Anthropic Messages wire format the scripted model reads and writes. */

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly ContentBlock[];
  readonly is_error?: boolean;
}

export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock;

export interface Message {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly ContentBlock[];
}

export interface JsonObject {
  readonly [name: string]: unknown;
}

export interface MessagesRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly system?: string | readonly TextBlock[];
  readonly tools?: readonly { readonly name: string; readonly [field: string]: unknown }[];
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly [field: string]: unknown;
}

export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
}

export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly content: readonly (TextBlock | ToolUseBlock)[];
  readonly stopReason: string;
  readonly usage: Required<Usage>;
}

/** The answer in one piece, for a request without `stream`. */
export function wholeAnswer(answer: Answer): JsonObject {
  return {
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: answer.content,
    stop_reason: answer.stopReason,
    stop_sequence: null,
    usage: answer.usage,
  };
}

/** The answer as server-sent events, text in two pieces so that a client has to join them. */
export function streamedAnswer(answer: Answer): readonly JsonObject[] {
  const opening = { ...wholeAnswer(answer), content: [], stop_reason: null };
  return [
    { type: "message_start", message: { ...opening, usage: { ...answer.usage, output_tokens: 1 } } },
    ...answer.content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: emptied(block) },
      ...deltas(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    {
      type: "message_delta",
      delta: { stop_reason: answer.stopReason, stop_sequence: null },
      usage: answer.usage,
    },
    { type: "message_stop" },
  ];
}

function emptied(block: TextBlock | ToolUseBlock): JsonObject {
  return block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
}

function deltas(block: TextBlock | ToolUseBlock): readonly JsonObject[] {
  if (block.type === "tool_use") {
    return [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  }
  const middle = Math.ceil(block.text.length / 2);
  return [block.text.slice(0, middle), block.text.slice(middle)]
    .filter((text) => text !== "")
    .map((text) => ({ type: "text_delta", text }));
}

/** All text of a message, tool results included, in its order. */
export function textOf(message: Message): string {
  return textOfContent(message.content);
}

export function textOfContent(content: string | readonly ContentBlock[] | undefined): string {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if (block.type === "text") return block.text;
      return block.type === "tool_result" ? textOfContent(block.content) : "";
    })
    .filter((text) => text !== "")
    .join("\n");
}

export function toolResultsOf(messages: readonly Message[]): readonly ToolResultBlock[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter((block) => block.type === "tool_result"),
  );
}
