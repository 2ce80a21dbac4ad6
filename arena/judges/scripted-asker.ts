import { answerForm, questionPrompt, repeatPrompt, readAnswer } from "../../src/engine/asking/answer-form.ts";
import type { Asker } from "../../src/core/questions/question.ts";

/** What was said in both directions, in characters. */
export interface Talk {
  asked: number;
  answered: number;
  turns: number;
}

/** As an agent is asked: once, and once more if its answer can't be used. */
export function scriptedAsker(agent: string, says: (turn: number) => string, talk: Talk): Asker {
  return {
    ask: async (question) => {
      const form = answerForm(question.schema);
      let prompt = questionPrompt(question.text, form);
      for (let turn = 1; ; turn += 1) {
        const said = says(turn);
        talk.turns += 1;
        talk.asked += prompt.length;
        talk.answered += said.length;
        const read = readAnswer(said, question);
        if (read.type === "usable") return { type: "answered", answer: read.answer, agent, isCached: false };
        if (turn === 2) return { type: "unanswered", why: read.why, agent };
        prompt = repeatPrompt(question.text, read.why, form);
      }
    },
  };
}

const CHARACTERS_OF_A_TOKEN = 4;

/** A rough figure for any model: a token is about four characters. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / CHARACTERS_OF_A_TOKEN);
}
