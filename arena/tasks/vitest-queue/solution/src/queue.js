/** First in, first out. */
export class Queue {
  #items = [];

  get size() {
    return this.#items.length;
  }

  push(item) {
    this.#items.push(item);
  }

  shift() {
    return this.#items.shift();
  }
}
