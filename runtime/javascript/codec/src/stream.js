export { StreamError } from "./stream/error.js";
export { FrameReceiver, FrameSender } from "./stream/frames.js";
export { Receiver, Sender, messagesOf, onlyOf } from "./stream/messages.js";
export { RequestError, Requests, uuidKey } from "./stream/requests.js";
