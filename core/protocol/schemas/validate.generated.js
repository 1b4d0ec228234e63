// Made by `npm run generate` from the schemas of bodies and layouts. Do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// the schemas of bodies and layouts
var isClaimRequest = validate20;
var func1 = require_ucs2length().default;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.code === void 0 && (missing0 = "code") || data.app_name === void 0 && (missing0 = "app_name") || data.app_id === void 0 && (missing0 = "app_id")) {
        validate20.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        if (data.code !== void 0) {
          let data0 = data.code;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (typeof data0 === "string") {
              if (func1(data0) < 1) {
                validate20.errors = [{ instancePath: instancePath + "/code", schemaPath: "#/properties/code/minLength", keyword: "minLength", params: { limit: 1 } }];
                return false;
              }
            } else {
              validate20.errors = [{ instancePath: instancePath + "/code", schemaPath: "#/properties/code/type", keyword: "type", params: { type: "string" } }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.app_name !== void 0) {
            let data1 = data.app_name;
            const _errs3 = errors;
            if (errors === _errs3) {
              if (typeof data1 === "string") {
                if (func1(data1) < 1) {
                  validate20.errors = [{ instancePath: instancePath + "/app_name", schemaPath: "#/properties/app_name/minLength", keyword: "minLength", params: { limit: 1 } }];
                  return false;
                }
              } else {
                validate20.errors = [{ instancePath: instancePath + "/app_name", schemaPath: "#/properties/app_name/type", keyword: "type", params: { type: "string" } }];
                return false;
              }
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.app_id !== void 0) {
              let data2 = data.app_id;
              const _errs5 = errors;
              if (errors === _errs5) {
                if (typeof data2 === "string") {
                  if (func1(data2) > 200) {
                    validate20.errors = [{ instancePath: instancePath + "/app_id", schemaPath: "#/properties/app_id/maxLength", keyword: "maxLength", params: { limit: 200 } }];
                    return false;
                  } else {
                    if (func1(data2) < 1) {
                      validate20.errors = [{ instancePath: instancePath + "/app_id", schemaPath: "#/properties/app_id/minLength", keyword: "minLength", params: { limit: 1 } }];
                      return false;
                    }
                  }
                } else {
                  validate20.errors = [{ instancePath: instancePath + "/app_id", schemaPath: "#/properties/app_id/type", keyword: "type", params: { type: "string" } }];
                  return false;
                }
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate20.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate20.errors = vErrors;
  return errors === 0;
}
validate20.evaluated = { "props": { "code": true, "app_name": true, "app_id": true }, "dynamicProps": false, "dynamicItems": false };
var isDeviceName = validate21;
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate21.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (typeof data !== "string") {
    validate21.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "string" } }];
    return false;
  }
  validate21.errors = vErrors;
  return errors === 0;
}
validate21.evaluated = { "dynamicProps": false, "dynamicItems": false };
var isRunId = validate22;
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate22.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (errors === 0) {
    if (typeof data === "string") {
      if (func1(data) > 100) {
        validate22.errors = [{ instancePath, schemaPath: "#/maxLength", keyword: "maxLength", params: { limit: 100 } }];
        return false;
      } else {
        if (func1(data) < 1) {
          validate22.errors = [{ instancePath, schemaPath: "#/minLength", keyword: "minLength", params: { limit: 1 } }];
          return false;
        }
      }
    } else {
      validate22.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "string" } }];
      return false;
    }
  }
  validate22.errors = vErrors;
  return errors === 0;
}
validate22.evaluated = { "dynamicProps": false, "dynamicItems": false };
var isSoundResult = validate23;
var schema34 = { "description": "The result of one sound.", "type": "object", "properties": { "status": { "type": "string", "enum": ["imported", "skipped", "failed"] }, "track": { "description": "The track that was made.", "type": "string" }, "file": { "description": "The name of the file on the importer's disk; not the manifest's `file`. Absent if it wasn't fetched.", "type": "string" }, "path": { "description": "That file's path below the importer's sounds folder, with `/`.", "type": "string" }, "notes": { "type": "array", "items": { "type": "string" } }, "differences": { "type": "array", "items": { "description": "A setting that differs in the host from what was asked: track, clip, file, warping, warp_mode, looping, start and loop_start (seconds from the file's first sample), loop_beats, tempo_bpm, warp_markers (a text), color_index, gain_db, or another.", "type": "object", "properties": { "setting": { "type": "string" }, "asked": { "type": ["string", "number", "boolean", "null"] }, "got": { "type": ["string", "number", "boolean", "null"] } }, "required": ["setting", "asked", "got"] } }, "error": { "description": "Why it is not in the host.", "type": "string" } }, "required": ["status"] };
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate23.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.status === void 0 && (missing0 = "status")) {
        validate23.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        if (data.status !== void 0) {
          let data0 = data.status;
          const _errs1 = errors;
          if (typeof data0 !== "string") {
            validate23.errors = [{ instancePath: instancePath + "/status", schemaPath: "#/properties/status/type", keyword: "type", params: { type: "string" } }];
            return false;
          }
          if (!(data0 === "imported" || data0 === "skipped" || data0 === "failed")) {
            validate23.errors = [{ instancePath: instancePath + "/status", schemaPath: "#/properties/status/enum", keyword: "enum", params: { allowedValues: schema34.properties.status.enum } }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.track !== void 0) {
            const _errs3 = errors;
            if (typeof data.track !== "string") {
              validate23.errors = [{ instancePath: instancePath + "/track", schemaPath: "#/properties/track/type", keyword: "type", params: { type: "string" } }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.file !== void 0) {
              const _errs5 = errors;
              if (typeof data.file !== "string") {
                validate23.errors = [{ instancePath: instancePath + "/file", schemaPath: "#/properties/file/type", keyword: "type", params: { type: "string" } }];
                return false;
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.path !== void 0) {
                const _errs7 = errors;
                if (typeof data.path !== "string") {
                  validate23.errors = [{ instancePath: instancePath + "/path", schemaPath: "#/properties/path/type", keyword: "type", params: { type: "string" } }];
                  return false;
                }
                var valid0 = _errs7 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.notes !== void 0) {
                  let data4 = data.notes;
                  const _errs9 = errors;
                  if (errors === _errs9) {
                    if (Array.isArray(data4)) {
                      var valid1 = true;
                      const len0 = data4.length;
                      for (let i0 = 0; i0 < len0; i0++) {
                        const _errs11 = errors;
                        if (typeof data4[i0] !== "string") {
                          validate23.errors = [{ instancePath: instancePath + "/notes/" + i0, schemaPath: "#/properties/notes/items/type", keyword: "type", params: { type: "string" } }];
                          return false;
                        }
                        var valid1 = _errs11 === errors;
                        if (!valid1) {
                          break;
                        }
                      }
                    } else {
                      validate23.errors = [{ instancePath: instancePath + "/notes", schemaPath: "#/properties/notes/type", keyword: "type", params: { type: "array" } }];
                      return false;
                    }
                  }
                  var valid0 = _errs9 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.differences !== void 0) {
                    let data6 = data.differences;
                    const _errs13 = errors;
                    if (errors === _errs13) {
                      if (Array.isArray(data6)) {
                        var valid2 = true;
                        const len1 = data6.length;
                        for (let i1 = 0; i1 < len1; i1++) {
                          let data7 = data6[i1];
                          const _errs15 = errors;
                          if (errors === _errs15) {
                            if (data7 && typeof data7 == "object" && !Array.isArray(data7)) {
                              let missing1;
                              if (data7.setting === void 0 && (missing1 = "setting") || data7.asked === void 0 && (missing1 = "asked") || data7.got === void 0 && (missing1 = "got")) {
                                validate23.errors = [{ instancePath: instancePath + "/differences/" + i1, schemaPath: "#/properties/differences/items/required", keyword: "required", params: { missingProperty: missing1 } }];
                                return false;
                              } else {
                                if (data7.setting !== void 0) {
                                  const _errs17 = errors;
                                  if (typeof data7.setting !== "string") {
                                    validate23.errors = [{ instancePath: instancePath + "/differences/" + i1 + "/setting", schemaPath: "#/properties/differences/items/properties/setting/type", keyword: "type", params: { type: "string" } }];
                                    return false;
                                  }
                                  var valid3 = _errs17 === errors;
                                } else {
                                  var valid3 = true;
                                }
                                if (valid3) {
                                  if (data7.asked !== void 0) {
                                    let data9 = data7.asked;
                                    const _errs19 = errors;
                                    if (typeof data9 !== "string" && !(typeof data9 == "number" && isFinite(data9)) && typeof data9 !== "boolean" && data9 !== null) {
                                      validate23.errors = [{ instancePath: instancePath + "/differences/" + i1 + "/asked", schemaPath: "#/properties/differences/items/properties/asked/type", keyword: "type", params: { type: schema34.properties.differences.items.properties.asked.type } }];
                                      return false;
                                    }
                                    var valid3 = _errs19 === errors;
                                  } else {
                                    var valid3 = true;
                                  }
                                  if (valid3) {
                                    if (data7.got !== void 0) {
                                      let data10 = data7.got;
                                      const _errs21 = errors;
                                      if (typeof data10 !== "string" && !(typeof data10 == "number" && isFinite(data10)) && typeof data10 !== "boolean" && data10 !== null) {
                                        validate23.errors = [{ instancePath: instancePath + "/differences/" + i1 + "/got", schemaPath: "#/properties/differences/items/properties/got/type", keyword: "type", params: { type: schema34.properties.differences.items.properties.got.type } }];
                                        return false;
                                      }
                                      var valid3 = _errs21 === errors;
                                    } else {
                                      var valid3 = true;
                                    }
                                  }
                                }
                              }
                            } else {
                              validate23.errors = [{ instancePath: instancePath + "/differences/" + i1, schemaPath: "#/properties/differences/items/type", keyword: "type", params: { type: "object" } }];
                              return false;
                            }
                          }
                          var valid2 = _errs15 === errors;
                          if (!valid2) {
                            break;
                          }
                        }
                      } else {
                        validate23.errors = [{ instancePath: instancePath + "/differences", schemaPath: "#/properties/differences/type", keyword: "type", params: { type: "array" } }];
                        return false;
                      }
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.error !== void 0) {
                      const _errs23 = errors;
                      if (typeof data.error !== "string") {
                        validate23.errors = [{ instancePath: instancePath + "/error", schemaPath: "#/properties/error/type", keyword: "type", params: { type: "string" } }];
                        return false;
                      }
                      var valid0 = _errs23 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      validate23.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate23.errors = vErrors;
  return errors === 0;
}
validate23.evaluated = { "props": { "status": true, "track": true, "file": true, "path": true, "notes": true, "differences": true, "error": true }, "dynamicProps": false, "dynamicItems": false };
var isLayout = validate24;
var schema35 = { "type": "object", "properties": { "scene": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }, "tracks": { "type": "array", "items": { "oneOf": [{ "type": "object", "properties": { "id": { "type": "string" }, "track": { "type": "string" }, "clip": { "type": "string" }, "kind": { "type": "string", "enum": ["loop", "oneshot"] }, "warping": { "type": "boolean" }, "warp_mode": { "oneOf": [{ "type": "null" }, { "type": "string", "enum": ["beats", "tones", "texture", "repitch", "complex", "complex_pro"] }] }, "looping": { "type": "boolean" }, "loop_beats": { "type": ["number", "null"] }, "tempo_bpm": { "type": ["number", "null"] }, "color_index": { "type": ["integer", "null"], "minimum": 0 }, "gain_db": { "type": "number" }, "notes": { "type": "array", "items": { "type": "string" } } }, "required": ["id", "track", "clip", "kind", "warping", "warp_mode", "looping", "loop_beats", "tempo_bpm", "color_index", "gain_db", "notes"] }, { "type": "object", "properties": { "id": { "type": "string" }, "track": { "type": "string" }, "clip": { "type": "string" }, "kind": { "type": "string", "enum": ["loop", "oneshot"] }, "error": { "type": "string" } }, "required": ["id", "track", "clip", "kind", "error"] }] } }, "warnings": { "type": "array", "items": { "description": "One thing that was repaired in the manifest.", "type": "object", "properties": { "code": { "description": "Stable.", "type": "string", "pattern": "^[A-Z][A-Z0-9_]*$" }, "message": { "description": "Plain English.", "type": "string", "maxLength": 200 }, "sound": { "description": "The `id` of the sound that it concerns.", "type": "string" }, "field": { "description": "The property that it concerns, such as `tempo.bpm`.", "type": "string" } }, "required": ["code", "message"] } } }, "required": ["scene", "tracks", "warnings"] };
var pattern4 = new RegExp("^[A-Z][A-Z0-9_]*$", "u");
function validate24(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate24.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.scene === void 0 && (missing0 = "scene") || data.tracks === void 0 && (missing0 = "tracks") || data.warnings === void 0 && (missing0 = "warnings")) {
        validate24.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        if (data.scene !== void 0) {
          let data0 = data.scene;
          const _errs1 = errors;
          if (errors === _errs1) {
            if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
              let missing1;
              if (data0.name === void 0 && (missing1 = "name")) {
                validate24.errors = [{ instancePath: instancePath + "/scene", schemaPath: "#/properties/scene/required", keyword: "required", params: { missingProperty: missing1 } }];
                return false;
              } else {
                if (data0.name !== void 0) {
                  if (typeof data0.name !== "string") {
                    validate24.errors = [{ instancePath: instancePath + "/scene/name", schemaPath: "#/properties/scene/properties/name/type", keyword: "type", params: { type: "string" } }];
                    return false;
                  }
                }
              }
            } else {
              validate24.errors = [{ instancePath: instancePath + "/scene", schemaPath: "#/properties/scene/type", keyword: "type", params: { type: "object" } }];
              return false;
            }
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.tracks !== void 0) {
            let data2 = data.tracks;
            const _errs5 = errors;
            if (errors === _errs5) {
              if (Array.isArray(data2)) {
                var valid2 = true;
                const len0 = data2.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data3 = data2[i0];
                  const _errs7 = errors;
                  const _errs8 = errors;
                  let valid3 = false;
                  let passing0 = null;
                  const _errs9 = errors;
                  if (errors === _errs9) {
                    if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
                      let missing2;
                      if (data3.id === void 0 && (missing2 = "id") || data3.track === void 0 && (missing2 = "track") || data3.clip === void 0 && (missing2 = "clip") || data3.kind === void 0 && (missing2 = "kind") || data3.warping === void 0 && (missing2 = "warping") || data3.warp_mode === void 0 && (missing2 = "warp_mode") || data3.looping === void 0 && (missing2 = "looping") || data3.loop_beats === void 0 && (missing2 = "loop_beats") || data3.tempo_bpm === void 0 && (missing2 = "tempo_bpm") || data3.color_index === void 0 && (missing2 = "color_index") || data3.gain_db === void 0 && (missing2 = "gain_db") || data3.notes === void 0 && (missing2 = "notes")) {
                        const err0 = { instancePath: instancePath + "/tracks/" + i0, schemaPath: "#/properties/tracks/items/oneOf/0/required", keyword: "required", params: { missingProperty: missing2 } };
                        if (vErrors === null) {
                          vErrors = [err0];
                        } else {
                          vErrors.push(err0);
                        }
                        errors++;
                      } else {
                        if (data3.id !== void 0) {
                          const _errs11 = errors;
                          if (typeof data3.id !== "string") {
                            const err1 = { instancePath: instancePath + "/tracks/" + i0 + "/id", schemaPath: "#/properties/tracks/items/oneOf/0/properties/id/type", keyword: "type", params: { type: "string" } };
                            if (vErrors === null) {
                              vErrors = [err1];
                            } else {
                              vErrors.push(err1);
                            }
                            errors++;
                          }
                          var valid4 = _errs11 === errors;
                        } else {
                          var valid4 = true;
                        }
                        if (valid4) {
                          if (data3.track !== void 0) {
                            const _errs13 = errors;
                            if (typeof data3.track !== "string") {
                              const err2 = { instancePath: instancePath + "/tracks/" + i0 + "/track", schemaPath: "#/properties/tracks/items/oneOf/0/properties/track/type", keyword: "type", params: { type: "string" } };
                              if (vErrors === null) {
                                vErrors = [err2];
                              } else {
                                vErrors.push(err2);
                              }
                              errors++;
                            }
                            var valid4 = _errs13 === errors;
                          } else {
                            var valid4 = true;
                          }
                          if (valid4) {
                            if (data3.clip !== void 0) {
                              const _errs15 = errors;
                              if (typeof data3.clip !== "string") {
                                const err3 = { instancePath: instancePath + "/tracks/" + i0 + "/clip", schemaPath: "#/properties/tracks/items/oneOf/0/properties/clip/type", keyword: "type", params: { type: "string" } };
                                if (vErrors === null) {
                                  vErrors = [err3];
                                } else {
                                  vErrors.push(err3);
                                }
                                errors++;
                              }
                              var valid4 = _errs15 === errors;
                            } else {
                              var valid4 = true;
                            }
                            if (valid4) {
                              if (data3.kind !== void 0) {
                                let data7 = data3.kind;
                                const _errs17 = errors;
                                if (typeof data7 !== "string") {
                                  const err4 = { instancePath: instancePath + "/tracks/" + i0 + "/kind", schemaPath: "#/properties/tracks/items/oneOf/0/properties/kind/type", keyword: "type", params: { type: "string" } };
                                  if (vErrors === null) {
                                    vErrors = [err4];
                                  } else {
                                    vErrors.push(err4);
                                  }
                                  errors++;
                                }
                                if (!(data7 === "loop" || data7 === "oneshot")) {
                                  const err5 = { instancePath: instancePath + "/tracks/" + i0 + "/kind", schemaPath: "#/properties/tracks/items/oneOf/0/properties/kind/enum", keyword: "enum", params: { allowedValues: schema35.properties.tracks.items.oneOf[0].properties.kind.enum } };
                                  if (vErrors === null) {
                                    vErrors = [err5];
                                  } else {
                                    vErrors.push(err5);
                                  }
                                  errors++;
                                }
                                var valid4 = _errs17 === errors;
                              } else {
                                var valid4 = true;
                              }
                              if (valid4) {
                                if (data3.warping !== void 0) {
                                  const _errs19 = errors;
                                  if (typeof data3.warping !== "boolean") {
                                    const err6 = { instancePath: instancePath + "/tracks/" + i0 + "/warping", schemaPath: "#/properties/tracks/items/oneOf/0/properties/warping/type", keyword: "type", params: { type: "boolean" } };
                                    if (vErrors === null) {
                                      vErrors = [err6];
                                    } else {
                                      vErrors.push(err6);
                                    }
                                    errors++;
                                  }
                                  var valid4 = _errs19 === errors;
                                } else {
                                  var valid4 = true;
                                }
                                if (valid4) {
                                  if (data3.warp_mode !== void 0) {
                                    let data9 = data3.warp_mode;
                                    const _errs21 = errors;
                                    const _errs22 = errors;
                                    let valid5 = false;
                                    let passing1 = null;
                                    const _errs23 = errors;
                                    if (data9 !== null) {
                                      const err7 = { instancePath: instancePath + "/tracks/" + i0 + "/warp_mode", schemaPath: "#/properties/tracks/items/oneOf/0/properties/warp_mode/oneOf/0/type", keyword: "type", params: { type: "null" } };
                                      if (vErrors === null) {
                                        vErrors = [err7];
                                      } else {
                                        vErrors.push(err7);
                                      }
                                      errors++;
                                    }
                                    var _valid1 = _errs23 === errors;
                                    if (_valid1) {
                                      valid5 = true;
                                      passing1 = 0;
                                    }
                                    const _errs25 = errors;
                                    if (typeof data9 !== "string") {
                                      const err8 = { instancePath: instancePath + "/tracks/" + i0 + "/warp_mode", schemaPath: "#/properties/tracks/items/oneOf/0/properties/warp_mode/oneOf/1/type", keyword: "type", params: { type: "string" } };
                                      if (vErrors === null) {
                                        vErrors = [err8];
                                      } else {
                                        vErrors.push(err8);
                                      }
                                      errors++;
                                    }
                                    if (!(data9 === "beats" || data9 === "tones" || data9 === "texture" || data9 === "repitch" || data9 === "complex" || data9 === "complex_pro")) {
                                      const err9 = { instancePath: instancePath + "/tracks/" + i0 + "/warp_mode", schemaPath: "#/properties/tracks/items/oneOf/0/properties/warp_mode/oneOf/1/enum", keyword: "enum", params: { allowedValues: schema35.properties.tracks.items.oneOf[0].properties.warp_mode.oneOf[1].enum } };
                                      if (vErrors === null) {
                                        vErrors = [err9];
                                      } else {
                                        vErrors.push(err9);
                                      }
                                      errors++;
                                    }
                                    var _valid1 = _errs25 === errors;
                                    if (_valid1 && valid5) {
                                      valid5 = false;
                                      passing1 = [passing1, 1];
                                    } else {
                                      if (_valid1) {
                                        valid5 = true;
                                        passing1 = 1;
                                      }
                                    }
                                    if (!valid5) {
                                      const err10 = { instancePath: instancePath + "/tracks/" + i0 + "/warp_mode", schemaPath: "#/properties/tracks/items/oneOf/0/properties/warp_mode/oneOf", keyword: "oneOf", params: { passingSchemas: passing1 } };
                                      if (vErrors === null) {
                                        vErrors = [err10];
                                      } else {
                                        vErrors.push(err10);
                                      }
                                      errors++;
                                    } else {
                                      errors = _errs22;
                                      if (vErrors !== null) {
                                        if (_errs22) {
                                          vErrors.length = _errs22;
                                        } else {
                                          vErrors = null;
                                        }
                                      }
                                    }
                                    var valid4 = _errs21 === errors;
                                  } else {
                                    var valid4 = true;
                                  }
                                  if (valid4) {
                                    if (data3.looping !== void 0) {
                                      const _errs27 = errors;
                                      if (typeof data3.looping !== "boolean") {
                                        const err11 = { instancePath: instancePath + "/tracks/" + i0 + "/looping", schemaPath: "#/properties/tracks/items/oneOf/0/properties/looping/type", keyword: "type", params: { type: "boolean" } };
                                        if (vErrors === null) {
                                          vErrors = [err11];
                                        } else {
                                          vErrors.push(err11);
                                        }
                                        errors++;
                                      }
                                      var valid4 = _errs27 === errors;
                                    } else {
                                      var valid4 = true;
                                    }
                                    if (valid4) {
                                      if (data3.loop_beats !== void 0) {
                                        let data11 = data3.loop_beats;
                                        const _errs29 = errors;
                                        if (!(typeof data11 == "number" && isFinite(data11)) && data11 !== null) {
                                          const err12 = { instancePath: instancePath + "/tracks/" + i0 + "/loop_beats", schemaPath: "#/properties/tracks/items/oneOf/0/properties/loop_beats/type", keyword: "type", params: { type: schema35.properties.tracks.items.oneOf[0].properties.loop_beats.type } };
                                          if (vErrors === null) {
                                            vErrors = [err12];
                                          } else {
                                            vErrors.push(err12);
                                          }
                                          errors++;
                                        }
                                        var valid4 = _errs29 === errors;
                                      } else {
                                        var valid4 = true;
                                      }
                                      if (valid4) {
                                        if (data3.tempo_bpm !== void 0) {
                                          let data12 = data3.tempo_bpm;
                                          const _errs31 = errors;
                                          if (!(typeof data12 == "number" && isFinite(data12)) && data12 !== null) {
                                            const err13 = { instancePath: instancePath + "/tracks/" + i0 + "/tempo_bpm", schemaPath: "#/properties/tracks/items/oneOf/0/properties/tempo_bpm/type", keyword: "type", params: { type: schema35.properties.tracks.items.oneOf[0].properties.tempo_bpm.type } };
                                            if (vErrors === null) {
                                              vErrors = [err13];
                                            } else {
                                              vErrors.push(err13);
                                            }
                                            errors++;
                                          }
                                          var valid4 = _errs31 === errors;
                                        } else {
                                          var valid4 = true;
                                        }
                                        if (valid4) {
                                          if (data3.color_index !== void 0) {
                                            let data13 = data3.color_index;
                                            const _errs33 = errors;
                                            if (!(typeof data13 == "number" && (!(data13 % 1) && !isNaN(data13)) && isFinite(data13)) && data13 !== null) {
                                              const err14 = { instancePath: instancePath + "/tracks/" + i0 + "/color_index", schemaPath: "#/properties/tracks/items/oneOf/0/properties/color_index/type", keyword: "type", params: { type: schema35.properties.tracks.items.oneOf[0].properties.color_index.type } };
                                              if (vErrors === null) {
                                                vErrors = [err14];
                                              } else {
                                                vErrors.push(err14);
                                              }
                                              errors++;
                                            }
                                            if (errors === _errs33) {
                                              if (typeof data13 == "number" && isFinite(data13)) {
                                                if (data13 < 0 || isNaN(data13)) {
                                                  const err15 = { instancePath: instancePath + "/tracks/" + i0 + "/color_index", schemaPath: "#/properties/tracks/items/oneOf/0/properties/color_index/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } };
                                                  if (vErrors === null) {
                                                    vErrors = [err15];
                                                  } else {
                                                    vErrors.push(err15);
                                                  }
                                                  errors++;
                                                }
                                              }
                                            }
                                            var valid4 = _errs33 === errors;
                                          } else {
                                            var valid4 = true;
                                          }
                                          if (valid4) {
                                            if (data3.gain_db !== void 0) {
                                              let data14 = data3.gain_db;
                                              const _errs35 = errors;
                                              if (!(typeof data14 == "number" && isFinite(data14))) {
                                                const err16 = { instancePath: instancePath + "/tracks/" + i0 + "/gain_db", schemaPath: "#/properties/tracks/items/oneOf/0/properties/gain_db/type", keyword: "type", params: { type: "number" } };
                                                if (vErrors === null) {
                                                  vErrors = [err16];
                                                } else {
                                                  vErrors.push(err16);
                                                }
                                                errors++;
                                              }
                                              var valid4 = _errs35 === errors;
                                            } else {
                                              var valid4 = true;
                                            }
                                            if (valid4) {
                                              if (data3.notes !== void 0) {
                                                let data15 = data3.notes;
                                                const _errs37 = errors;
                                                if (errors === _errs37) {
                                                  if (Array.isArray(data15)) {
                                                    var valid6 = true;
                                                    const len1 = data15.length;
                                                    for (let i1 = 0; i1 < len1; i1++) {
                                                      const _errs39 = errors;
                                                      if (typeof data15[i1] !== "string") {
                                                        const err17 = { instancePath: instancePath + "/tracks/" + i0 + "/notes/" + i1, schemaPath: "#/properties/tracks/items/oneOf/0/properties/notes/items/type", keyword: "type", params: { type: "string" } };
                                                        if (vErrors === null) {
                                                          vErrors = [err17];
                                                        } else {
                                                          vErrors.push(err17);
                                                        }
                                                        errors++;
                                                      }
                                                      var valid6 = _errs39 === errors;
                                                      if (!valid6) {
                                                        break;
                                                      }
                                                    }
                                                  } else {
                                                    const err18 = { instancePath: instancePath + "/tracks/" + i0 + "/notes", schemaPath: "#/properties/tracks/items/oneOf/0/properties/notes/type", keyword: "type", params: { type: "array" } };
                                                    if (vErrors === null) {
                                                      vErrors = [err18];
                                                    } else {
                                                      vErrors.push(err18);
                                                    }
                                                    errors++;
                                                  }
                                                }
                                                var valid4 = _errs37 === errors;
                                              } else {
                                                var valid4 = true;
                                              }
                                            }
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    } else {
                      const err19 = { instancePath: instancePath + "/tracks/" + i0, schemaPath: "#/properties/tracks/items/oneOf/0/type", keyword: "type", params: { type: "object" } };
                      if (vErrors === null) {
                        vErrors = [err19];
                      } else {
                        vErrors.push(err19);
                      }
                      errors++;
                    }
                  }
                  var _valid0 = _errs9 === errors;
                  if (_valid0) {
                    valid3 = true;
                    passing0 = 0;
                    var props0 = {};
                    props0.id = true;
                    props0.track = true;
                    props0.clip = true;
                    props0.kind = true;
                    props0.warping = true;
                    props0.warp_mode = true;
                    props0.looping = true;
                    props0.loop_beats = true;
                    props0.tempo_bpm = true;
                    props0.color_index = true;
                    props0.gain_db = true;
                    props0.notes = true;
                  }
                  const _errs41 = errors;
                  if (errors === _errs41) {
                    if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
                      let missing3;
                      if (data3.id === void 0 && (missing3 = "id") || data3.track === void 0 && (missing3 = "track") || data3.clip === void 0 && (missing3 = "clip") || data3.kind === void 0 && (missing3 = "kind") || data3.error === void 0 && (missing3 = "error")) {
                        const err20 = { instancePath: instancePath + "/tracks/" + i0, schemaPath: "#/properties/tracks/items/oneOf/1/required", keyword: "required", params: { missingProperty: missing3 } };
                        if (vErrors === null) {
                          vErrors = [err20];
                        } else {
                          vErrors.push(err20);
                        }
                        errors++;
                      } else {
                        if (data3.id !== void 0) {
                          const _errs43 = errors;
                          if (typeof data3.id !== "string") {
                            const err21 = { instancePath: instancePath + "/tracks/" + i0 + "/id", schemaPath: "#/properties/tracks/items/oneOf/1/properties/id/type", keyword: "type", params: { type: "string" } };
                            if (vErrors === null) {
                              vErrors = [err21];
                            } else {
                              vErrors.push(err21);
                            }
                            errors++;
                          }
                          var valid7 = _errs43 === errors;
                        } else {
                          var valid7 = true;
                        }
                        if (valid7) {
                          if (data3.track !== void 0) {
                            const _errs45 = errors;
                            if (typeof data3.track !== "string") {
                              const err22 = { instancePath: instancePath + "/tracks/" + i0 + "/track", schemaPath: "#/properties/tracks/items/oneOf/1/properties/track/type", keyword: "type", params: { type: "string" } };
                              if (vErrors === null) {
                                vErrors = [err22];
                              } else {
                                vErrors.push(err22);
                              }
                              errors++;
                            }
                            var valid7 = _errs45 === errors;
                          } else {
                            var valid7 = true;
                          }
                          if (valid7) {
                            if (data3.clip !== void 0) {
                              const _errs47 = errors;
                              if (typeof data3.clip !== "string") {
                                const err23 = { instancePath: instancePath + "/tracks/" + i0 + "/clip", schemaPath: "#/properties/tracks/items/oneOf/1/properties/clip/type", keyword: "type", params: { type: "string" } };
                                if (vErrors === null) {
                                  vErrors = [err23];
                                } else {
                                  vErrors.push(err23);
                                }
                                errors++;
                              }
                              var valid7 = _errs47 === errors;
                            } else {
                              var valid7 = true;
                            }
                            if (valid7) {
                              if (data3.kind !== void 0) {
                                let data20 = data3.kind;
                                const _errs49 = errors;
                                if (typeof data20 !== "string") {
                                  const err24 = { instancePath: instancePath + "/tracks/" + i0 + "/kind", schemaPath: "#/properties/tracks/items/oneOf/1/properties/kind/type", keyword: "type", params: { type: "string" } };
                                  if (vErrors === null) {
                                    vErrors = [err24];
                                  } else {
                                    vErrors.push(err24);
                                  }
                                  errors++;
                                }
                                if (!(data20 === "loop" || data20 === "oneshot")) {
                                  const err25 = { instancePath: instancePath + "/tracks/" + i0 + "/kind", schemaPath: "#/properties/tracks/items/oneOf/1/properties/kind/enum", keyword: "enum", params: { allowedValues: schema35.properties.tracks.items.oneOf[1].properties.kind.enum } };
                                  if (vErrors === null) {
                                    vErrors = [err25];
                                  } else {
                                    vErrors.push(err25);
                                  }
                                  errors++;
                                }
                                var valid7 = _errs49 === errors;
                              } else {
                                var valid7 = true;
                              }
                              if (valid7) {
                                if (data3.error !== void 0) {
                                  const _errs51 = errors;
                                  if (typeof data3.error !== "string") {
                                    const err26 = { instancePath: instancePath + "/tracks/" + i0 + "/error", schemaPath: "#/properties/tracks/items/oneOf/1/properties/error/type", keyword: "type", params: { type: "string" } };
                                    if (vErrors === null) {
                                      vErrors = [err26];
                                    } else {
                                      vErrors.push(err26);
                                    }
                                    errors++;
                                  }
                                  var valid7 = _errs51 === errors;
                                } else {
                                  var valid7 = true;
                                }
                              }
                            }
                          }
                        }
                      }
                    } else {
                      const err27 = { instancePath: instancePath + "/tracks/" + i0, schemaPath: "#/properties/tracks/items/oneOf/1/type", keyword: "type", params: { type: "object" } };
                      if (vErrors === null) {
                        vErrors = [err27];
                      } else {
                        vErrors.push(err27);
                      }
                      errors++;
                    }
                  }
                  var _valid0 = _errs41 === errors;
                  if (_valid0 && valid3) {
                    valid3 = false;
                    passing0 = [passing0, 1];
                  } else {
                    if (_valid0) {
                      valid3 = true;
                      passing0 = 1;
                      if (props0 !== true) {
                        props0 = props0 || {};
                        props0.id = true;
                        props0.track = true;
                        props0.clip = true;
                        props0.kind = true;
                        props0.error = true;
                      }
                    }
                  }
                  if (!valid3) {
                    const err28 = { instancePath: instancePath + "/tracks/" + i0, schemaPath: "#/properties/tracks/items/oneOf", keyword: "oneOf", params: { passingSchemas: passing0 } };
                    if (vErrors === null) {
                      vErrors = [err28];
                    } else {
                      vErrors.push(err28);
                    }
                    errors++;
                    validate24.errors = vErrors;
                    return false;
                  } else {
                    errors = _errs8;
                    if (vErrors !== null) {
                      if (_errs8) {
                        vErrors.length = _errs8;
                      } else {
                        vErrors = null;
                      }
                    }
                  }
                  var valid2 = _errs7 === errors;
                  if (!valid2) {
                    break;
                  }
                }
              } else {
                validate24.errors = [{ instancePath: instancePath + "/tracks", schemaPath: "#/properties/tracks/type", keyword: "type", params: { type: "array" } }];
                return false;
              }
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.warnings !== void 0) {
              let data22 = data.warnings;
              const _errs53 = errors;
              if (errors === _errs53) {
                if (Array.isArray(data22)) {
                  var valid8 = true;
                  const len2 = data22.length;
                  for (let i2 = 0; i2 < len2; i2++) {
                    let data23 = data22[i2];
                    const _errs55 = errors;
                    if (errors === _errs55) {
                      if (data23 && typeof data23 == "object" && !Array.isArray(data23)) {
                        let missing4;
                        if (data23.code === void 0 && (missing4 = "code") || data23.message === void 0 && (missing4 = "message")) {
                          validate24.errors = [{ instancePath: instancePath + "/warnings/" + i2, schemaPath: "#/properties/warnings/items/required", keyword: "required", params: { missingProperty: missing4 } }];
                          return false;
                        } else {
                          if (data23.code !== void 0) {
                            let data24 = data23.code;
                            const _errs57 = errors;
                            if (errors === _errs57) {
                              if (typeof data24 === "string") {
                                if (!pattern4.test(data24)) {
                                  validate24.errors = [{ instancePath: instancePath + "/warnings/" + i2 + "/code", schemaPath: "#/properties/warnings/items/properties/code/pattern", keyword: "pattern", params: { pattern: "^[A-Z][A-Z0-9_]*$" } }];
                                  return false;
                                }
                              } else {
                                validate24.errors = [{ instancePath: instancePath + "/warnings/" + i2 + "/code", schemaPath: "#/properties/warnings/items/properties/code/type", keyword: "type", params: { type: "string" } }];
                                return false;
                              }
                            }
                            var valid9 = _errs57 === errors;
                          } else {
                            var valid9 = true;
                          }
                          if (valid9) {
                            if (data23.message !== void 0) {
                              let data25 = data23.message;
                              const _errs59 = errors;
                              if (errors === _errs59) {
                                if (typeof data25 === "string") {
                                  if (func1(data25) > 200) {
                                    validate24.errors = [{ instancePath: instancePath + "/warnings/" + i2 + "/message", schemaPath: "#/properties/warnings/items/properties/message/maxLength", keyword: "maxLength", params: { limit: 200 } }];
                                    return false;
                                  }
                                } else {
                                  validate24.errors = [{ instancePath: instancePath + "/warnings/" + i2 + "/message", schemaPath: "#/properties/warnings/items/properties/message/type", keyword: "type", params: { type: "string" } }];
                                  return false;
                                }
                              }
                              var valid9 = _errs59 === errors;
                            } else {
                              var valid9 = true;
                            }
                            if (valid9) {
                              if (data23.sound !== void 0) {
                                const _errs61 = errors;
                                if (typeof data23.sound !== "string") {
                                  validate24.errors = [{ instancePath: instancePath + "/warnings/" + i2 + "/sound", schemaPath: "#/properties/warnings/items/properties/sound/type", keyword: "type", params: { type: "string" } }];
                                  return false;
                                }
                                var valid9 = _errs61 === errors;
                              } else {
                                var valid9 = true;
                              }
                              if (valid9) {
                                if (data23.field !== void 0) {
                                  const _errs63 = errors;
                                  if (typeof data23.field !== "string") {
                                    validate24.errors = [{ instancePath: instancePath + "/warnings/" + i2 + "/field", schemaPath: "#/properties/warnings/items/properties/field/type", keyword: "type", params: { type: "string" } }];
                                    return false;
                                  }
                                  var valid9 = _errs63 === errors;
                                } else {
                                  var valid9 = true;
                                }
                              }
                            }
                          }
                        }
                      } else {
                        validate24.errors = [{ instancePath: instancePath + "/warnings/" + i2, schemaPath: "#/properties/warnings/items/type", keyword: "type", params: { type: "object" } }];
                        return false;
                      }
                    }
                    var valid8 = _errs55 === errors;
                    if (!valid8) {
                      break;
                    }
                  }
                } else {
                  validate24.errors = [{ instancePath: instancePath + "/warnings", schemaPath: "#/properties/warnings/type", keyword: "type", params: { type: "array" } }];
                  return false;
                }
              }
              var valid0 = _errs53 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate24.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate24.errors = vErrors;
  return errors === 0;
}
validate24.evaluated = { "props": { "scene": true, "tracks": true, "warnings": true }, "dynamicProps": false, "dynamicItems": false };
var isPackageAudio = validate25;
var schema36 = { "type": "object", "properties": { "tempo_bpm": { "type": ["number", "null"] }, "time_signature": { "type": ["string", "null"] }, "sounds": { "type": "array", "items": { "type": "object", "properties": { "id": { "type": "string" }, "role": { "oneOf": [{ "type": "null" }, { "type": "string", "enum": ["drums", "bass", "melodic", "vocal", "texture", "fx"] }] }, "file": { "type": "string" }, "bytes": { "type": "integer", "minimum": 0 }, "sha256": { "description": "SHA-256 in lower-case hex.", "type": "string", "pattern": "^[0-9a-f]{64}$" }, "chunks_sha256": { "description": "SHA-256 in lower-case hex.", "type": "string", "pattern": "^[0-9a-f]{64}$" }, "encoding": { "type": "string", "enum": ["pcm", "float"] }, "bits": { "type": "integer", "minimum": 0 }, "channels": { "type": "integer", "minimum": 0 }, "sample_rate_hz": { "type": "integer", "minimum": 0 }, "frames": { "type": "integer", "minimum": 0 }, "peaks": { "type": "string", "pattern": "^(?:[0-9a-f]{2}){1,512}$" } }, "required": ["id", "role", "file", "bytes", "sha256", "chunks_sha256", "encoding", "bits", "channels", "sample_rate_hz", "frames", "peaks"] } } }, "required": ["tempo_bpm", "time_signature", "sounds"] };
var pattern5 = new RegExp("^[0-9a-f]{64}$", "u");
var pattern7 = new RegExp("^(?:[0-9a-f]{2}){1,512}$", "u");
function validate25(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate25.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.tempo_bpm === void 0 && (missing0 = "tempo_bpm") || data.time_signature === void 0 && (missing0 = "time_signature") || data.sounds === void 0 && (missing0 = "sounds")) {
        validate25.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 } }];
        return false;
      } else {
        if (data.tempo_bpm !== void 0) {
          let data0 = data.tempo_bpm;
          const _errs1 = errors;
          if (!(typeof data0 == "number" && isFinite(data0)) && data0 !== null) {
            validate25.errors = [{ instancePath: instancePath + "/tempo_bpm", schemaPath: "#/properties/tempo_bpm/type", keyword: "type", params: { type: schema36.properties.tempo_bpm.type } }];
            return false;
          }
          var valid0 = _errs1 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.time_signature !== void 0) {
            let data1 = data.time_signature;
            const _errs3 = errors;
            if (typeof data1 !== "string" && data1 !== null) {
              validate25.errors = [{ instancePath: instancePath + "/time_signature", schemaPath: "#/properties/time_signature/type", keyword: "type", params: { type: schema36.properties.time_signature.type } }];
              return false;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.sounds !== void 0) {
              let data2 = data.sounds;
              const _errs5 = errors;
              if (errors === _errs5) {
                if (Array.isArray(data2)) {
                  var valid1 = true;
                  const len0 = data2.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    let data3 = data2[i0];
                    const _errs7 = errors;
                    if (errors === _errs7) {
                      if (data3 && typeof data3 == "object" && !Array.isArray(data3)) {
                        let missing1;
                        if (data3.id === void 0 && (missing1 = "id") || data3.role === void 0 && (missing1 = "role") || data3.file === void 0 && (missing1 = "file") || data3.bytes === void 0 && (missing1 = "bytes") || data3.sha256 === void 0 && (missing1 = "sha256") || data3.chunks_sha256 === void 0 && (missing1 = "chunks_sha256") || data3.encoding === void 0 && (missing1 = "encoding") || data3.bits === void 0 && (missing1 = "bits") || data3.channels === void 0 && (missing1 = "channels") || data3.sample_rate_hz === void 0 && (missing1 = "sample_rate_hz") || data3.frames === void 0 && (missing1 = "frames") || data3.peaks === void 0 && (missing1 = "peaks")) {
                          validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0, schemaPath: "#/properties/sounds/items/required", keyword: "required", params: { missingProperty: missing1 } }];
                          return false;
                        } else {
                          if (data3.id !== void 0) {
                            const _errs9 = errors;
                            if (typeof data3.id !== "string") {
                              validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/id", schemaPath: "#/properties/sounds/items/properties/id/type", keyword: "type", params: { type: "string" } }];
                              return false;
                            }
                            var valid2 = _errs9 === errors;
                          } else {
                            var valid2 = true;
                          }
                          if (valid2) {
                            if (data3.role !== void 0) {
                              let data5 = data3.role;
                              const _errs11 = errors;
                              const _errs12 = errors;
                              let valid3 = false;
                              let passing0 = null;
                              const _errs13 = errors;
                              if (data5 !== null) {
                                const err0 = { instancePath: instancePath + "/sounds/" + i0 + "/role", schemaPath: "#/properties/sounds/items/properties/role/oneOf/0/type", keyword: "type", params: { type: "null" } };
                                if (vErrors === null) {
                                  vErrors = [err0];
                                } else {
                                  vErrors.push(err0);
                                }
                                errors++;
                              }
                              var _valid0 = _errs13 === errors;
                              if (_valid0) {
                                valid3 = true;
                                passing0 = 0;
                              }
                              const _errs15 = errors;
                              if (typeof data5 !== "string") {
                                const err1 = { instancePath: instancePath + "/sounds/" + i0 + "/role", schemaPath: "#/properties/sounds/items/properties/role/oneOf/1/type", keyword: "type", params: { type: "string" } };
                                if (vErrors === null) {
                                  vErrors = [err1];
                                } else {
                                  vErrors.push(err1);
                                }
                                errors++;
                              }
                              if (!(data5 === "drums" || data5 === "bass" || data5 === "melodic" || data5 === "vocal" || data5 === "texture" || data5 === "fx")) {
                                const err2 = { instancePath: instancePath + "/sounds/" + i0 + "/role", schemaPath: "#/properties/sounds/items/properties/role/oneOf/1/enum", keyword: "enum", params: { allowedValues: schema36.properties.sounds.items.properties.role.oneOf[1].enum } };
                                if (vErrors === null) {
                                  vErrors = [err2];
                                } else {
                                  vErrors.push(err2);
                                }
                                errors++;
                              }
                              var _valid0 = _errs15 === errors;
                              if (_valid0 && valid3) {
                                valid3 = false;
                                passing0 = [passing0, 1];
                              } else {
                                if (_valid0) {
                                  valid3 = true;
                                  passing0 = 1;
                                }
                              }
                              if (!valid3) {
                                const err3 = { instancePath: instancePath + "/sounds/" + i0 + "/role", schemaPath: "#/properties/sounds/items/properties/role/oneOf", keyword: "oneOf", params: { passingSchemas: passing0 } };
                                if (vErrors === null) {
                                  vErrors = [err3];
                                } else {
                                  vErrors.push(err3);
                                }
                                errors++;
                                validate25.errors = vErrors;
                                return false;
                              } else {
                                errors = _errs12;
                                if (vErrors !== null) {
                                  if (_errs12) {
                                    vErrors.length = _errs12;
                                  } else {
                                    vErrors = null;
                                  }
                                }
                              }
                              var valid2 = _errs11 === errors;
                            } else {
                              var valid2 = true;
                            }
                            if (valid2) {
                              if (data3.file !== void 0) {
                                const _errs17 = errors;
                                if (typeof data3.file !== "string") {
                                  validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/file", schemaPath: "#/properties/sounds/items/properties/file/type", keyword: "type", params: { type: "string" } }];
                                  return false;
                                }
                                var valid2 = _errs17 === errors;
                              } else {
                                var valid2 = true;
                              }
                              if (valid2) {
                                if (data3.bytes !== void 0) {
                                  let data7 = data3.bytes;
                                  const _errs19 = errors;
                                  if (!(typeof data7 == "number" && (!(data7 % 1) && !isNaN(data7)) && isFinite(data7))) {
                                    validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/bytes", schemaPath: "#/properties/sounds/items/properties/bytes/type", keyword: "type", params: { type: "integer" } }];
                                    return false;
                                  }
                                  if (errors === _errs19) {
                                    if (typeof data7 == "number" && isFinite(data7)) {
                                      if (data7 < 0 || isNaN(data7)) {
                                        validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/bytes", schemaPath: "#/properties/sounds/items/properties/bytes/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } }];
                                        return false;
                                      }
                                    }
                                  }
                                  var valid2 = _errs19 === errors;
                                } else {
                                  var valid2 = true;
                                }
                                if (valid2) {
                                  if (data3.sha256 !== void 0) {
                                    let data8 = data3.sha256;
                                    const _errs21 = errors;
                                    if (errors === _errs21) {
                                      if (typeof data8 === "string") {
                                        if (!pattern5.test(data8)) {
                                          validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/sha256", schemaPath: "#/properties/sounds/items/properties/sha256/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{64}$" } }];
                                          return false;
                                        }
                                      } else {
                                        validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/sha256", schemaPath: "#/properties/sounds/items/properties/sha256/type", keyword: "type", params: { type: "string" } }];
                                        return false;
                                      }
                                    }
                                    var valid2 = _errs21 === errors;
                                  } else {
                                    var valid2 = true;
                                  }
                                  if (valid2) {
                                    if (data3.chunks_sha256 !== void 0) {
                                      let data9 = data3.chunks_sha256;
                                      const _errs23 = errors;
                                      if (errors === _errs23) {
                                        if (typeof data9 === "string") {
                                          if (!pattern5.test(data9)) {
                                            validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/chunks_sha256", schemaPath: "#/properties/sounds/items/properties/chunks_sha256/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{64}$" } }];
                                            return false;
                                          }
                                        } else {
                                          validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/chunks_sha256", schemaPath: "#/properties/sounds/items/properties/chunks_sha256/type", keyword: "type", params: { type: "string" } }];
                                          return false;
                                        }
                                      }
                                      var valid2 = _errs23 === errors;
                                    } else {
                                      var valid2 = true;
                                    }
                                    if (valid2) {
                                      if (data3.encoding !== void 0) {
                                        let data10 = data3.encoding;
                                        const _errs25 = errors;
                                        if (typeof data10 !== "string") {
                                          validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/encoding", schemaPath: "#/properties/sounds/items/properties/encoding/type", keyword: "type", params: { type: "string" } }];
                                          return false;
                                        }
                                        if (!(data10 === "pcm" || data10 === "float")) {
                                          validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/encoding", schemaPath: "#/properties/sounds/items/properties/encoding/enum", keyword: "enum", params: { allowedValues: schema36.properties.sounds.items.properties.encoding.enum } }];
                                          return false;
                                        }
                                        var valid2 = _errs25 === errors;
                                      } else {
                                        var valid2 = true;
                                      }
                                      if (valid2) {
                                        if (data3.bits !== void 0) {
                                          let data11 = data3.bits;
                                          const _errs27 = errors;
                                          if (!(typeof data11 == "number" && (!(data11 % 1) && !isNaN(data11)) && isFinite(data11))) {
                                            validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/bits", schemaPath: "#/properties/sounds/items/properties/bits/type", keyword: "type", params: { type: "integer" } }];
                                            return false;
                                          }
                                          if (errors === _errs27) {
                                            if (typeof data11 == "number" && isFinite(data11)) {
                                              if (data11 < 0 || isNaN(data11)) {
                                                validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/bits", schemaPath: "#/properties/sounds/items/properties/bits/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } }];
                                                return false;
                                              }
                                            }
                                          }
                                          var valid2 = _errs27 === errors;
                                        } else {
                                          var valid2 = true;
                                        }
                                        if (valid2) {
                                          if (data3.channels !== void 0) {
                                            let data12 = data3.channels;
                                            const _errs29 = errors;
                                            if (!(typeof data12 == "number" && (!(data12 % 1) && !isNaN(data12)) && isFinite(data12))) {
                                              validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/channels", schemaPath: "#/properties/sounds/items/properties/channels/type", keyword: "type", params: { type: "integer" } }];
                                              return false;
                                            }
                                            if (errors === _errs29) {
                                              if (typeof data12 == "number" && isFinite(data12)) {
                                                if (data12 < 0 || isNaN(data12)) {
                                                  validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/channels", schemaPath: "#/properties/sounds/items/properties/channels/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } }];
                                                  return false;
                                                }
                                              }
                                            }
                                            var valid2 = _errs29 === errors;
                                          } else {
                                            var valid2 = true;
                                          }
                                          if (valid2) {
                                            if (data3.sample_rate_hz !== void 0) {
                                              let data13 = data3.sample_rate_hz;
                                              const _errs31 = errors;
                                              if (!(typeof data13 == "number" && (!(data13 % 1) && !isNaN(data13)) && isFinite(data13))) {
                                                validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/sample_rate_hz", schemaPath: "#/properties/sounds/items/properties/sample_rate_hz/type", keyword: "type", params: { type: "integer" } }];
                                                return false;
                                              }
                                              if (errors === _errs31) {
                                                if (typeof data13 == "number" && isFinite(data13)) {
                                                  if (data13 < 0 || isNaN(data13)) {
                                                    validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/sample_rate_hz", schemaPath: "#/properties/sounds/items/properties/sample_rate_hz/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } }];
                                                    return false;
                                                  }
                                                }
                                              }
                                              var valid2 = _errs31 === errors;
                                            } else {
                                              var valid2 = true;
                                            }
                                            if (valid2) {
                                              if (data3.frames !== void 0) {
                                                let data14 = data3.frames;
                                                const _errs33 = errors;
                                                if (!(typeof data14 == "number" && (!(data14 % 1) && !isNaN(data14)) && isFinite(data14))) {
                                                  validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/frames", schemaPath: "#/properties/sounds/items/properties/frames/type", keyword: "type", params: { type: "integer" } }];
                                                  return false;
                                                }
                                                if (errors === _errs33) {
                                                  if (typeof data14 == "number" && isFinite(data14)) {
                                                    if (data14 < 0 || isNaN(data14)) {
                                                      validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/frames", schemaPath: "#/properties/sounds/items/properties/frames/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 } }];
                                                      return false;
                                                    }
                                                  }
                                                }
                                                var valid2 = _errs33 === errors;
                                              } else {
                                                var valid2 = true;
                                              }
                                              if (valid2) {
                                                if (data3.peaks !== void 0) {
                                                  let data15 = data3.peaks;
                                                  const _errs35 = errors;
                                                  if (errors === _errs35) {
                                                    if (typeof data15 === "string") {
                                                      if (!pattern7.test(data15)) {
                                                        validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/peaks", schemaPath: "#/properties/sounds/items/properties/peaks/pattern", keyword: "pattern", params: { pattern: "^(?:[0-9a-f]{2}){1,512}$" } }];
                                                        return false;
                                                      }
                                                    } else {
                                                      validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0 + "/peaks", schemaPath: "#/properties/sounds/items/properties/peaks/type", keyword: "type", params: { type: "string" } }];
                                                      return false;
                                                    }
                                                  }
                                                  var valid2 = _errs35 === errors;
                                                } else {
                                                  var valid2 = true;
                                                }
                                              }
                                            }
                                          }
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      } else {
                        validate25.errors = [{ instancePath: instancePath + "/sounds/" + i0, schemaPath: "#/properties/sounds/items/type", keyword: "type", params: { type: "object" } }];
                        return false;
                      }
                    }
                    var valid1 = _errs7 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                } else {
                  validate25.errors = [{ instancePath: instancePath + "/sounds", schemaPath: "#/properties/sounds/type", keyword: "type", params: { type: "array" } }];
                  return false;
                }
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      validate25.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } }];
      return false;
    }
  }
  validate25.errors = vErrors;
  return errors === 0;
}
validate25.evaluated = { "props": { "tempo_bpm": true, "time_signature": true, "sounds": true }, "dynamicProps": false, "dynamicItems": false };
export {
  isClaimRequest,
  isDeviceName,
  isLayout,
  isPackageAudio,
  isRunId,
  isSoundResult
};
