// Sports
