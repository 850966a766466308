// The compiler as WebAssembly: questions and answers are JSON (compiler/playground).

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What runs the module of these bytes: a function from a question to its answer. */
export async function door(bytes) {
  const module = await WebAssembly.compile(bytes);
  let exports;
  const enter = async () => ({ exports } = await WebAssembly.instantiate(module, {}));
  await enter();
  return async (question) => {
    const text = encoder.encode(JSON.stringify(question));
    try {
      // Each call may move the memory, so its buffer is asked for behind it.
      const room = exports.room(text.length);
      new Uint8Array(exports.memory.buffer, room, text.length).set(text);
      const length = exports.ask();
      const answer = JSON.parse(decoder.decode(new Uint8Array(exports.memory.buffer, exports.answer(), length)));
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      // The module's state is lost; the next question meets a new one.
      await enter();
      throw new Error("this is a defect of Aldis: please report it with the schema and the bytes", { cause: error });
    }
  };
}
