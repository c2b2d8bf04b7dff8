// Loaded before a program, to make it believe that it runs under Node.js of a version that can load its source.
import process from "node:process";

Object.defineProperty(process, "versions", { value: { node: "24.0.0" } });
