const ASKED =
  /^(?:(?:and|but|so|hi|hello|hey|also|btw)[\s,]{1,2})?(?:does|do|did|is|are|was|were|has|have|had|will|should|shall|would|could|can|may|might|what|which|who|where|when|how|isn't|aren't|doesn't|don't|didn't|won't|shouldn't|any idea|anyone)\b/i;
const WONDERED =
  /^(?:(?:and|but|so)\s)?(?:why|how come|is it possible that|could it be|i wonder|wondering)\b/i;
/** "Can you add…?" asks for work and not for an answer. */
const POLITE_REQUEST =
  /^(?:(?:and|but|so|hi|hello|hey|also|btw)[\s,]{1,2})?(?:(?:can|could|would|will|may)\s(?:you|we|i|someone|somebody|anyone)|is it possible to|would it be possible to|do you mind|would you mind|should\s(?!we\b|i\b)\w{1,20}\snot)\b/i;

/** A sentence that wants to know whether something holds, and asks for no change. */
export function isQuestion(text: string, hasQuestionMark: boolean): boolean {
  if (POLITE_REQUEST.test(text)) return false;
  return WONDERED.test(text) || (hasQuestionMark && ASKED.test(text));
}
